import { cpSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  sqlite,
  type Watch,
  type WatchRequest,
  type WatchResult,
} from '../../../src/index.js'
import { sendPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { createContent, draw, type Edit, editsOf, MEANINGFUL, NOISE, TEMPLATES, writePage } from './made-pages.js'

const isWhole = process.env['BARS'] === 'whole'
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Both clock changes of a time zone are in the whole year, and those of spring in the short form. */
const START = isWhole ? Date.UTC(2026, 0, 1) : Date.UTC(2026, 2, 5)
const DAYS = isWhole ? 365 : 30
const KILLS = isWhole ? 200 : 12
const PAGES = 40
/** Days in which the noise of the pages is learned, without edits. */
const WARM_UP = 6
/** Edits of a page, noise and meaningful ones by turns. */
const EDITS = isWhole ? 10 : 4
const MAX_DOWN_MS = 3 * DAY

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** The offset of a time zone. Milliseconds. */
function offsetOf(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(ms)
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** The instant of a local time of each day, worked out from the offsets alone; one that is skipped comes with the clock set forward. */
const localTimes = (timeZone: string, minutes: number): number[] =>
  Array.from({ length: DAYS + 2 }, (_, day) => {
    const local = START + day * DAY + minutes * 60_000
    const before = local - offsetOf(local - 12 * HOUR, timeZone)
    const after = local - offsetOf(local + 12 * HOUR, timeZone)
    // On the day of a change: the first of two instants, and of a gap its end.
    if (before === after || offsetOf(before, timeZone) === local - before) return before
    return offsetOf(after, timeZone) === local - after ? after : Math.floor(before / HOUR) * HOUR
  })

const schedules: readonly (Pick<WatchRequest, 'name' | 'every' | 'cron' | 'timeZone' | 'spread'> & {
  due?: number[]
})[] = [
  { name: 'berlin', cron: '30 2 * * *', timeZone: 'Europe/Berlin', spread: 0, due: localTimes('Europe/Berlin', 150) },
  {
    name: 'new york',
    cron: '30 1 * * *',
    timeZone: 'America/New_York',
    spread: 0,
    due: localTimes('America/New_York', 90),
  },
  { name: 'daily', every: '1d' },
  { name: 'slower', every: '30h' },
]

it(
  `misses no check and makes none twice in ${DAYS} days with ${KILLS} kills, and alarms for what matters`,
  { timeout: isWhole ? 1_800_000 : 120_000 },
  async () => {
    const random = draw(20261122)
    let nowMs = START
    const pages = Array.from({ length: PAGES }, (_, index) => ({
      content: createContent(TEMPLATES[index % TEMPLATES.length] ?? 'docs', 1000 + index),
      watch: schedules[index % schedules.length]?.name ?? '',
      path: `/${index}`,
      edits: [] as { atMs: number; isMeaningful: boolean; edit: Edit; isMade: boolean }[],
    }))
    for (const [index, { content, edits }] of pages.entries())
      for (let edit = 0; edit < EDITS; edit++) {
        const isMeaningful = edit % 2 === 0
        const kinds = editsOf(isMeaningful ? MEANINGFUL : NOISE, content.template)
        const span = (DAYS - WARM_UP - 6) / EDITS
        const atMs = START + (WARM_UP + (edit + 0.2 + 0.6 * random()) * span) * DAY
        edits.push({ atMs, isMeaningful, edit: kinds[(edit + index) % kinds.length] as Edit, isMade: false })
      }
    /** Makes the edits whose time has come: the site lives on while no process watches it. */
    const edit = (): void => {
      for (const { content, edits } of pages)
        for (const one of edits)
          if (!one.isMade && one.atMs <= nowMs) {
            one.isMade = true
            one.edit.apply(content, random)
          }
    }
    await using site = await startSite({
      pages: Object.fromEntries(
        pages.map(({ path, content }) => [path, (exchange) => sendPage(exchange, writePage(content, nowMs))]),
      ),
    })
    const kills = Array.from({ length: KILLS }, () => START + DAY * 2 + random() * (DAYS - 4) * DAY).toSorted(
      (a, b) => a - b,
    )
    let file = join(folder, '0.db')
    const open = (): Engine =>
      createEngine({
        ledger: sqlite(file),
        allowPrivateNetworks: true,
        threads: 0,
        fetcher: 'http',
        cache: false,
        now: () => nowMs,
      })
    let engine = open()
    for (const { due: _, ...schedule } of schedules) {
      const targets = [{ urls: pages.filter(({ watch }) => watch === schedule.name).map(({ path }) => site.url(path)) }]
      await engine.watch({ ...schedule, targets, scrapeOptions: { onlyMainContent: false }, keepResults: 1_000_000 })
    }
    let watches: readonly Watch[] = await engine.watches()
    /** Waits until no check is due, and returns the time of the next one. */
    const settle = async (until: () => boolean = () => false): Promise<number> => {
      for (;;) {
        const states = await Promise.all(watches.map((watch) => watch.status()))
        if (until()) return nowMs
        const next = states.map(({ nextCheckAt, checking, checks }) =>
          checking || (checks === 0 && nextCheckAt === undefined) ? 0 : Date.parse(nextCheckAt ?? ''),
        )
        if (next.every((at) => at > nowMs)) return Math.min(...next)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    }
    const down: [from: number, to: number][] = []
    let killed = 0
    const kill = async (): Promise<void> => {
      // A process that is killed leaves its file as it is at this moment.
      const copy = join(folder, `${++killed}.db`)
      for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) cpSync(`${file}${end}`, `${copy}${end}`)
      const old = engine
      const from = nowMs
      await old.close({ drain: false }).catch(() => undefined)
      await rm(file, { force: true })
      nowMs += random() < 0.3 ? random() * MAX_DOWN_MS : random() * HOUR
      edit()
      down.push([from, nowMs])
      file = copy
      engine = open()
      watches = await engine.watches({ run: true })
    }
    for (let nextMs = await settle(); nowMs < START + DAYS * DAY; nextMs = await settle()) {
      const killMs = kills[0] ?? Infinity
      nowMs = Math.max(nowMs, Math.min(nextMs, killMs, START + DAYS * DAY))
      edit()
      if (killMs <= nowMs) {
        kills.shift()
        await kill()
      } else if (kills.length > 0 && random() < 0.3 && killMs < nowMs + 5 * DAY) {
        // In the midst of a check.
        kills.shift()
        const asked = site.requests.length
        await settle(() => site.requests.length > asked + Math.floor(random() * 9))
        await kill()
      }
    }
    const results = new Map<string, WatchResult[]>()
    for (const watch of watches) {
      const all: WatchResult[] = []
      for (let some = await watch.results({ limit: 1000 }); some.length > 0;) {
        all.push(...some)
        some = await watch.results({ limit: 1000, after: all.at(-1)?.sequence ?? 0 })
      }
      results.set(watch.name, all)
    }
    const lasts = new Map(await Promise.all(watches.map(async (watch) => [watch.name, await watch.status()] as const)))
    await engine.close()

    let [missed, alarms, meaningful, noise] = [[] as string[], [] as string[], 0, 0]
    for (const { name, due } of schedules) {
      const all = results.get(name) ?? []
      const checks = new Map<number, WatchResult[]>()
      for (const result of all) checks.set(result.check, [...(checks.get(result.check) ?? []), result])
      // Each check has each page once, and no number is left out.
      const urls = pages
        .filter(({ watch }) => watch === name)
        .map(({ path }) => site.url(path))
        .toSorted()
      expect([...checks.keys()]).toEqual(Array.from({ length: checks.size }, (_, index) => index + 1))
      for (const found of checks.values()) expect(found.map(({ url }) => url).toSorted()).toEqual(urls)
      expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1))
      expect(all.filter(({ status }) => status === 'error')).toEqual([])
      expect(lasts.get(name)?.checks).toBe(checks.size)
      const starts = [...checks.values()].map(([first]) => Date.parse(first?.checkedAt ?? ''))
      if (!due) continue
      // Each due time is followed by pages of a check: at once, or as soon as a process is there again. That may be the rest
      // of a check that was killed in its midst.
      const ends = [...checks.values()].map((found) => Date.parse(found.at(-1)?.checkedAt ?? ''))
      for (const at of due.filter((time) => time >= START && time < START + (DAYS - 5) * DAY)) {
        let ready = at
        for (const [from, to] of down) if (ready >= from && ready <= to) ready = to
        const end = ends.find((time) => time >= at) ?? Infinity
        expect(end, `${name}: ${new Date(at).toISOString()}`).toBeLessThanOrEqual(ready)
      }
      // Each check has a due time of its own: none is made twice.
      for (const [index, start] of starts.entries()) {
        const from = starts[index - 1] ?? START - 1
        const own = due.filter((time) => time > from && time <= start)
        expect(own.length, `${name}: check ${index + 1} at ${new Date(start).toISOString()}`).toBeGreaterThanOrEqual(1)
      }
    }
    for (const { content, path, watch, edits } of pages) {
      const seen = (results.get(watch) ?? []).filter(({ url }) => url === site.url(path))
      for (const [index, result] of seen.entries()) {
        const [from, to] = [Date.parse(seen[index - 1]?.checkedAt ?? ''), Date.parse(result.checkedAt)]
        const inside = edits.filter(({ atMs }) => atMs > from && atMs <= to)
        const hasMeaning = inside.some((one) => one.isMeaningful)
        const told = `${content.template} ${path}: ${inside.map((one) => one.edit.name).join(', ')}: ${result.reasons.map(({ message }) => message).join(' | ')}`
        meaningful += inside.filter((one) => one.isMeaningful).length
        noise += inside.filter((one) => !one.isMeaningful).length
        if (hasMeaning && !result.meaningful) missed.push(told)
        if (!hasMeaning && result.meaningful && to > START + WARM_UP * DAY) alarms.push(told)
      }
    }
    expect(killed).toBe(KILLS)
    expect([meaningful, noise]).toEqual([(PAGES * EDITS) / 2, (PAGES * EDITS) / 2])
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Math.ceil(meaningful / 100))
    expect(alarms.length, alarms.join('\n')).toBeLessThanOrEqual(Math.ceil(noise / 100))
  },
)
