#!/usr/bin/env node
import process from 'node:process'
import { Interrupt } from './interrupt.js'
import { Terminal } from './output/terminal.js'
import { runCommandLine } from './run-command-line.js'

const terminal = new Terminal(process.stdout, process.stderr)
const interrupt = new Interrupt(process)
const exitCode = await runCommandLine(process.argv.slice(2), terminal, interrupt, process.env)
await terminal.flush()
process.exit(exitCode)
