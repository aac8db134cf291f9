import Bootstrap

exitProcess(await TillProgram.run(Array(CommandLine.arguments.dropFirst())))
