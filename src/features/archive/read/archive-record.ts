/** Place of a record. */
export interface RecordPlace {
  /** The file, or the entry of a WACZ. */
  readonly file: string
  /** Place of the record in the file, or of the gzip member that it is alone in; undefined where it cannot be read alone. Bytes. */
  readonly offset?: number
}

/** A record of an archive, with its block as far as it was wanted. */
export interface ArchiveRecord {
  /** `response`, `revisit`, …; in lower case. */
  readonly type: string
  /** Named fields, with names in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly place: RecordPlace
  /** Empty where it was not wanted. */
  readonly block: Buffer
  /** Problems with it. Sentences without a full stop. */
  readonly problems: readonly string[]
  /** True if its block is larger than what is read. */
  readonly isTooLarge?: boolean
  /** True if its gzip member was cut, and its end is missing. */
  readonly isTorn?: boolean
}

/** A part of an archive that is no record. */
export interface Damage {
  readonly damage: string
  readonly place: RecordPlace
}

/** Field of a response, in lower case, with the method of its request where that is not `GET`; other programs do not write it. */
export const METHOD_FIELD = 'x-request-method'

/** Reads the target of a record; WARC 1.0 puts it in angle brackets. */
export const targetOf = ({ fields }: Pick<ArchiveRecord, 'fields'>): string | undefined =>
  fields.get('warc-target-uri')?.replace(/^<|>$/g, '')

/** Date and time without a zone, which `Date` takes as that of this machine. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/

/** Reads the time of a record, in milliseconds; undefined for none. ARC and some writers have 14 digits. Without a zone, it is UTC. */
export function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', ms = '0'] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(\d{1,3})?$/.exec(text) ?? []
  const time = Date.parse(
    year === undefined
      ? text.replace(WITHOUT_ZONE, '$1T$2Z')
      : `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`,
  )
  return Number.isNaN(time) ? undefined : time
}
