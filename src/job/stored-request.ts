/** A request in the form in which it is stored. */
export interface PackedRequest {
  readonly text: string
  /** Paths of values that JSON cannot represent: functions, schemas of a library. */
  readonly missing: readonly string[]
}

/** Serializes a validated request as JSON, and lists the values that JSON cannot represent. */
export function packRequest(request: object): PackedRequest {
  const missing: string[] = []
  const pack = (value: unknown, path: string): unknown => {
    if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) return value
    if (Array.isArray(value)) return value.map((item, index) => pack(item, `${path}[${index}]`))
    if (isPlain(value)) {
      const entries = Object.entries(value).map(([name, part]) => [
        name,
        pack(part, path === '' ? name : `${path}.${name}`),
      ])
      return Object.fromEntries(entries) as unknown
    }
    missing.push(path)
    return undefined
  }
  return { text: JSON.stringify(pack(request, '')), missing }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
