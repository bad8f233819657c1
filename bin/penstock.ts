#!/usr/bin/env node
/** CLI entry: argv and the process in, an exit code out. */
import { processIo } from '#cli/io';
import { runCli } from '#cli/run-cli';

// Set, not forced: what has been printed may still be on its way into a pipe.
process.exitCode = await runCli(process.argv.slice(2), processIo());
