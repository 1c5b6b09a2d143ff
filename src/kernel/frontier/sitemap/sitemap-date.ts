const w3cDate =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d*)?)?\s?(?:Z|([+-]\d\d):?(\d\d)?)?)?)?)?$/i

const mailDate = /^(?:[a-z]{3,9},?\s+)?\d{1,2}[\s-]+[a-z]{3,9}[\s-]+\d{2,4}\b/i

/**
 * Converts a date of a sitemap or a feed to an ISO string in UTC; undefined when it is not a date.
 *
 * Missing parts are the earliest possible, and a time without a zone is UTC, never the host's own zone.
 *
 * @see W3C NOTE-datetime, RFC 3339 (Atom), RFC 822 section 5 (RSS)
 */
export function readDate(text: string): string | undefined {
  const written = text.trim().slice(0, 100)
  const w3c = w3cDate.exec(written)
  if (w3c) {
    const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = '0'] = w3c
    const zone = w3c[8] === undefined ? 'Z' : `${w3c[8]}:${w3c[9] ?? '00'}`
    return toIso(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}${zone}`)
  }
  if (!mailDate.test(written)) return undefined
  return toIso(/\s\(?(?:[a-z]{1,4}|[+-]\d{4})\)?$/i.test(written) ? written : `${written} GMT`)
}

function toIso(text: string): string | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
