import { ownValue } from '../collections/own-value.js'

/** Units of durations, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads a duration such as `90s`, `15m`, `6h`, `1d` or `2w`, in milliseconds; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim()) ?? []
  const unitMs = ownValue(UNITS, unit)
  return unitMs === undefined || Number(count) === 0 ? undefined : Number(count) * unitMs
}
