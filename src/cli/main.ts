#!/usr/bin/env node
import process from 'node:process'
import { Interrupt } from './interrupt.js'
import { Terminal } from './terminal/terminal.js'
import { runCommandLine } from './run-command-line.js'

const terminal = new Terminal(process.stdout, process.stderr)
// Also after an error that nobody expected, and after a second signal.
process.once('exit', () => terminal.clearStatus())
const interrupt = new Interrupt(process)
const exitCode = await runCommandLine(process.argv.slice(2), terminal, interrupt, process.env)
await terminal.flush()
process.exit(exitCode)
