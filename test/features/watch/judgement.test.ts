import { expect, it } from 'vitest'
import { CHANGE_FIELDS } from '../../../src/content/compare/change-field.js'
import { judgeChanges } from '../../../src/content/compare/judge-changes.js'
import type { NoiseMemory } from '../../../src/content/compare/noise-memory.js'
import { createEngine } from '../../../src/index.js'
import { createContent, draw, type Edit, editsOf, MEANINGFUL, NOISE, TEMPLATES, writePage } from './made-pages.js'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 5)
const PAGES = 40
/** Checks before the first edit, in which the page's own noise is learned. */
const WARM_UP = 5
/** Edits of a page: noise and meaningful ones by turns, with a check without an edit after each. */
const EDITS = 10

it(
  'alarms for at least 198 of 200 meaningful edits, and for at most 2 of 200 noise edits',
  { timeout: 120_000 },
  async () => {
    await using engine = createEngine({ threads: 0 })
    const counts = {
      meaningful: 0,
      missed: [] as string[],
      noise: 0,
      alarms: [] as string[],
      quiet: 0,
      unasked: [] as string[],
    }
    const random = draw(20261122)
    for (let index = 0; index < PAGES; index++) {
      const template = TEMPLATES[index % TEMPLATES.length] ?? 'docs'
      const content = createContent(template, 1000 + index)
      let [previous, atMs, noise]: [string | undefined, number, NoiseMemory | undefined] = [undefined, START, undefined]
      const visit = async (): Promise<{ isMeaningful: boolean; told: string }> => {
        const nowMs = atMs + DAY + Math.floor(random() * 3_600_000)
        const { markdown } = await engine.parse(
          { body: writePage(content, nowMs), contentType: 'text/html', url: 'https://example.com/' },
          { onlyMainContent: false },
        )
        if (previous === undefined) {
          ;[previous, atMs] = [markdown, nowMs]
          return { isMeaningful: false, told: '' }
        }
        const judged = judgeChanges({
          previous,
          current: markdown,
          previousAtMs: atMs,
          atMs: nowMs,
          fields: CHANGE_FIELDS,
          noise,
        })
        ;[previous, atMs, noise] = [markdown, nowMs, judged.noise]
        return { isMeaningful: judged.isMeaningful, told: judged.reasons.map(({ message }) => message).join(' | ') }
      }
      for (let check = 0; check <= WARM_UP; check++) await visit()
      for (let edit = 0; edit < EDITS; edit++) {
        const kinds = editsOf(edit % 2 === 0 ? MEANINGFUL : NOISE, template)
        const { name, isTuned, apply } = kinds[(edit + index) % kinds.length] as Edit
        apply(content, random)
        const { isMeaningful, told } = await visit()
        const label = `${template} ${index}: ${name} (${isTuned ? 'tuned' : 'aside'}): ${told}`
        counts[edit % 2 === 0 ? 'meaningful' : 'noise'] += 1
        if (edit % 2 === 0 && !isMeaningful) counts.missed.push(label)
        if (edit % 2 === 1 && isMeaningful) counts.alarms.push(label)
        const calm = await visit()
        counts.quiet += 1
        if (calm.isMeaningful) counts.unasked.push(`${template} ${index} after ${name}: ${calm.told}`)
      }
    }
    const { missed, alarms, unasked } = counts
    expect(counts).toMatchObject({ meaningful: 200, noise: 200 })
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(2)
    expect(alarms.length, alarms.join('\n')).toBeLessThanOrEqual(2)
    expect(unasked.length, unasked.join('\n')).toBeLessThanOrEqual(2)
  },
)
