/** Roughly how much memory plain data takes up: its strings, and a little for each value. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 16
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const inner of Object.values(value)) bytes += estimateBytes(inner)
  return bytes
}
