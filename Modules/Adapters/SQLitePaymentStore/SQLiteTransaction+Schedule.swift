import PaymentModels
import SQLiteConnection

extension SQLiteTransaction {
  func bringForward(to limit: Instant) throws {
    try write(
      """
      UPDATE payments SET next_read_at = ?1, lease_until = min(lease_until, ?1)
      WHERE next_read_at > ?1 AND lapsed = 0
        AND (status IN ('created', 'pending') OR status GLOB 'unknown:*')
      """, [.instant(limit)])
    try write(
      """
      UPDATE operations SET next_try_at = ?1
      WHERE next_try_at > ?1 AND state IN ('intent', 'unknown')
      """, [.instant(limit)])
    try write(
      "UPDATE webhooks SET next_try_at = ?1 WHERE next_try_at > ?1 AND state = 'received'",
      [.instant(limit)])
    try write(
      "UPDATE messages SET next_try_at = ?1 WHERE next_try_at > ?1 AND delivered_at IS NULL",
      [.instant(limit)])
  }
}
