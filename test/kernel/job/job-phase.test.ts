import { describe, expect, it } from 'vitest'
import { enterPhase, isUnderWay, type JobPhase, transitions } from '../../../src/kernel/job/lifecycle/job-phase.js'

const phases = Object.keys(transitions) as JobPhase[]

function reachableFrom(phase: JobPhase, seen = new Set<JobPhase>()): Set<JobPhase> {
  for (const next of transitions[phase]) {
    if (seen.has(next)) continue
    seen.add(next)
    reachableFrom(next, seen)
  }
  return seen
}

describe('phases of a job', () => {
  it('a running job can come to each of them', () => {
    expect([...reachableFrom('running')].toSorted()).toEqual(phases.toSorted())
  })

  it('each leads to the end of the job, here or in another process', () => {
    for (const phase of phases) {
      const reached = reachableFrom(phase).add(phase)
      expect(reached.has('over') || reached.has('parked'), phase).toBe(true)
    }
  })

  it('a job whose end is written is not begun again, and one that is parked is not cancelled', () => {
    for (const [from, to] of [
      ['ended', 'running'],
      ['over', 'closing'],
      ['parked', 'closing'],
      ['closing', 'draining'],
      ['stopped', 'ended'],
    ] as const)
      expect(() => enterPhase(from, to)).toThrow(`a job that is ${from} cannot be ${to} next`)
  })

  it('a phase is entered twice without a fault', () => {
    for (const phase of phases) expect(enterPhase(phase, phase)).toBe(phase)
  })

  it('only a job that has ended for now or for good is not under way', () => {
    expect(phases.filter((phase) => !isUnderWay(phase))).toEqual(['stopped', 'ended', 'over'])
  })
})
