import Testing

@testable import Dashboard

@Suite("Paths of the dashboard")
struct RouteTests {
  @Test(arguments: [
    "/dashboard", "/dashboard/payments", "/dashboard/reviews", "/dashboard/reviews/12",
    "/dashboard/inbox", "/dashboard/outbox", "/dashboard/events", "/dashboard/sign-in",
    "/dashboard/payments/0199cccc-0000-7000-8000-000000000001",
    "/dashboard/payments/0199cccc-0000-7000-8000-000000000001/refund",
    "/dashboard/inbox/0199cccc-0000-7000-8000-000000000001",
    "/dashboard/outbox/0199cccc-0000-7000-8000-000000000001", "/dashboard/assets/00/style.css",
  ])
  func `a path leads to a route that has it`(path: String) {
    #expect(DashboardRoute(path: path)?.path == path)
  }

  @Test(arguments: [
    "/dashboard/", "/dashboards", "/", "/dashboard/payments/", "/dashboard/payments/x",
    "/dashboard/payments/0199cccc-0000-7000-8000-000000000001/give",
    "/dashboard/payments/0199CCCC-0000-7000-8000-000000000001", "/dashboard/reviews/0",
    "/dashboard/inbox/x", "/dashboard/outbox/0199CCCC-0000-7000-8000-000000000001",
    "/dashboard/reviews/012", "/dashboard/reviews/-1", "/dashboard/assets/00/../style.css",
  ])
  func `every other path is none`(path: String) {
    #expect(DashboardRoute(path: path) == nil)
  }
}
