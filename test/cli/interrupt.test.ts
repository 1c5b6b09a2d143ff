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

describe('an interrupt', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('by %s lets the command end in good order, with %d', (signal, code) => {
    const { interrupt, send, exits } = watch()
    expect(interrupt.exitCode).toBeUndefined()
    send(signal)
    expect(interrupt.signal.aborted).toBe(true)
    expect(interrupt.exitCode).toBe(code)
    expect(exits).toEqual([])
  })

  it('that comes twice ends the process at once, after its last words', () => {
    const { interrupt, send, exits } = watch()
    const said: string[] = []
    interrupt.onForcedExit = () => void said.push('kept')
    send('SIGINT')
    vi.advanceTimersByTime(500)
    send('SIGINT')
    expect([said, exits]).toEqual([['kept'], [130]])
  })

  it('that a parent hands on as well is one interrupt', () => {
    const { send, exits } = watch()
    send('SIGINT')
    vi.advanceTimersByTime(50)
    send('SIGINT')
    expect(exits).toEqual([])
  })

  it('waits only so long for what does not end', () => {
    const { send, exits } = watch()
    send('SIGTERM')
    expect(() => vi.advanceTimersByTime(10_000)).toThrow(Exited)
    expect(exits).toEqual([143])
  })
})
