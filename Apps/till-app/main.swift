import Bootstrap

exitProcess(await TillAppProgram.run(Array(CommandLine.arguments.dropFirst())))
