import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Interrupt } from '../../src/cli/interrupt.js'

class Exited extends Error {}

function watch() {
  const exits: number[] = []
  const signals = new EventEmitter()
  const source = Object.assign(signals, {
    exit: (code: number): never => {
      exits.push(code)
      throw new Exited()
    },
  })
  const interrupt = new Interrupt(source)
  const send = (signal: string): void => {
    try {
      signals.emit(signal)
    } catch (error) {
      if (!(error instanceof Exited)) throw error
    }
  }
  return { interrupt, send, exits }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Interrupt', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('lets the command finish after %s, with exit code %d', (signal, code) => {
    const { interrupt, send, exits } = watch()
    expect(interrupt.exitCode).toBeUndefined()
    send(signal)
    expect(interrupt.signal.aborted).toBe(true)
    expect(interrupt.exitCode).toBe(code)
    expect(exits).toEqual([])
  })

  it('ends the process at the second signal, after onForcedExit', () => {
    const { interrupt, send, exits } = watch()
    const said: string[] = []
    interrupt.onForcedExit = () => void said.push('kept')
    send('SIGINT')
    vi.advanceTimersByTime(500)
    send('SIGINT')
    expect([said, exits]).toEqual([['kept'], [130]])
  })

  it('counts a signal that a parent process forwards once', () => {
    const { send, exits } = watch()
    send('SIGINT')
    vi.advanceTimersByTime(50)
    send('SIGINT')
    expect(exits).toEqual([])
  })

  it('ends the process when the command does not finish in time', () => {
    const { send, exits } = watch()
    send('SIGTERM')
    expect(() => vi.advanceTimersByTime(10_000)).toThrow(Exited)
    expect(exits).toEqual([143])
  })

  it('lets a command that asks for it take its time', () => {
    const { interrupt, send, exits } = watch()
    interrupt.awaitCommand()
    send('SIGTERM')
    vi.advanceTimersByTime(600_000)
    expect(exits).toEqual([])
    send('SIGTERM')
    expect(exits).toEqual([143])
  })
})
