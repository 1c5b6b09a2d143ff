/** Appends the default of an option to the description of its flag, unless the description states it. */
export function appendDefault(text: string, value: unknown): string {
  return value === undefined || text.includes('Default:') ? text : `${text}. Default: ${printDefault(value)}`
}

function printDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === Infinity) return 'no limit'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
