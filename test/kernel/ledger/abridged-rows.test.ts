import { describe, expect, it } from 'vitest'
import { AbridgedRows, MAX_REASONS, packRow, unpackRow } from '../../../src/kernel/ledger/rows/abridged-rows.js'
import { skipReasons } from '../../../src/kernel/ledger/skip-reason.js'

const FOUND_AT_MS = Date.UTC(2026, 10, 22, 12)

describe('a packed row of a URL that only has its reason', () => {
  it('has room for every skip reason', () => expect(skipReasons.length).toBeLessThanOrEqual(MAX_REASONS))

  it.each([0, 1, 15, 16, 17, 31, 32, 255, MAX_REASONS - 1])('keeps reason %i, with its other values', (reason) => {
    for (const via of ['seed', 'link', 'redirect', 'sitemap', 'previous'] as const) {
      for (const depth of [0, 7, 511]) {
        const row = { reason, via, depth, foundAtMs: FOUND_AT_MS }
        expect(Number.isSafeInteger(packRow(row))).toBe(true)
        expect(unpackRow(packRow(row))).toEqual(row)
      }
    }
  })

  it('is a safe integer at the last second that it can store', () => {
    const packed = packRow({ reason: MAX_REASONS - 1, via: 'previous', depth: 10_000, foundAtMs: 1e15 })
    expect(Number.isSafeInteger(packed)).toBe(true)
    expect(unpackRow(packed)).toMatchObject({ reason: MAX_REASONS - 1, depth: 511 })
  })

  it('is read from files of versions with 16 reasons', () => {
    // Seconds, 9 bits of depth, 3 of `via`, 4 of the reason.
    const stored = (FOUND_AT_MS / 1000) * 0x10000 + (3 << 7) + (1 << 4) + 15
    const rows = new AbridgedRows()
    expect(rows.restore(1, stored)).toEqual({ reason: 'FEATURE_REFUSED', times: 1 })
    expect(unpackRow(stored)).toEqual({ reason: 15, via: 'link', depth: 3, foundAtMs: FOUND_AT_MS })
  })
})
