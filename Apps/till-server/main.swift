import Bootstrap

exitProcess(await TillServerProgram.run(Array(CommandLine.arguments.dropFirst())))
