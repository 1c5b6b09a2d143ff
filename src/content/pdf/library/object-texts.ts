import { constants, inflateSync } from 'node:zlib'
import { findStreams, PACKED } from './find-streams.js'

/** Number of bytes of an object that are read: a list of the resources of a page is some kilobytes long. */
const MAX_TEXT_BYTES = 2 ** 16
/** Maximum unpacked size of a stream of objects, and of all of them together, in bytes. */
const [MAX_STREAM_BYTES, MAX_ALL_BYTES] = [8 * 2 ** 20, 64 * 2 ** 20]
/** Maximum number of bytes of all objects that are read, and that are searched for who names a form. */
const [MAX_READ_BYTES, MAX_SEARCHED_BYTES] = [64 * 2 ** 20, 2 ** 30]

/** Objects of a PDF file in the file's own words, found without its tables, which may be damaged. */
export class ObjectTexts {
  #places: Map<number, number> | undefined
  #packed: Map<number, string> | undefined
  readonly #lists = new Map<string, ReadonlyMap<string, number>>()
  #left = MAX_READ_BYTES
  #leftToSearch = MAX_SEARCHED_BYTES

  constructor(readonly file: Buffer) {}

  /**
   * Returns the objects that a form can draw by names, of those given. A form without resources uses those of what draws it: they
   * are taken from the object that names it.
   *
   * @param description dictionary of the form
   */
  namesIn(description: string, own: number, numbers: ReadonlySet<number>): ReadonlyMap<string, number> {
    if (!description.includes('/Resources')) return this.#namesBeside(own, numbers)
    const resources = this.#follow(description, /\/Resources\s{0,9}(\d{1,9})\s{1,9}\d{1,5}\s{1,9}R/)
    const names = this.#follow(resources, /\/XObject\s{0,9}(\d{1,9})\s{1,9}\d{1,5}\s{1,9}R/)
    return this.#pairsOf(names, numbers)
  }

  /** Returns the object that a dictionary refers to, or the dictionary itself. */
  #follow(text: string, pattern: RegExp): string {
    const number = pattern.exec(text)?.[1]
    return number === undefined ? text : (this.#textOf(Number(number)) ?? text)
  }

  #namesBeside(own: number, numbers: ReadonlySet<number>): ReadonlyMap<string, number> {
    if (this.#leftToSearch < 0) return new Map()
    const at = this.file.indexOf(Buffer.from(` ${own} 0 R`))
    this.#leftToSearch -= at < 0 ? this.file.length : at
    if (at < 0) return new Map()
    const start = Math.max(this.file.lastIndexOf(' obj', at), at - MAX_TEXT_BYTES, 0)
    return this.#pairsOf(this.#read(start), numbers)
  }

  #pairsOf(text: string, numbers: ReadonlySet<number>): ReadonlyMap<string, number> {
    const known = this.#lists.get(text)
    if (known !== undefined) return known
    const names = new Map<string, number>()
    for (const [, name = '', number] of text.matchAll(
      /\/([^\s()<>[\]{}/%]{1,127})\s{1,9}(\d{1,9})\s{1,9}\d{1,5}\s{1,9}R/g,
    )) {
      if (numbers.has(Number(number))) names.set(name, Number(number))
    }
    this.#lists.set(text, names)
    return names
  }

  #textOf(number: number): string | undefined {
    this.#places ??= this.#findPlaces()
    const place = this.#places.get(number)
    if (place !== undefined) return this.#read(place)
    this.#packed ??= this.#unpackAll()
    return this.#packed.get(number)
  }

  /** Reads an object up to its end or its stream. */
  #read(place: number): string {
    if (this.#left < 0) return ''
    const text = this.file.toString('latin1', place, place + MAX_TEXT_BYTES)
    this.#left -= text.length
    const end = text.search(/endobj|stream/)
    return end < 0 ? text : text.slice(0, end)
  }

  /** Finds where each object begins; of several versions the last one counts. */
  #findPlaces(): Map<number, number> {
    const places = new Map<number, number>()
    for (let at = this.file.indexOf(' obj'); at >= 0; at = this.file.indexOf(' obj', at + 4)) {
      const number = /(\d{1,9})\s{1,5}\d{1,5}$/.exec(this.file.toString('latin1', Math.max(0, at - 20), at))?.[1]
      if (number !== undefined) places.set(Number(number), at + 4)
    }
    return places
  }

  /** Unpacks the streams of objects. @see ISO 32000-1 section 7.5.7 */
  #unpackAll(): Map<number, string> {
    const objects = new Map<number, string>()
    let left = MAX_ALL_BYTES
    for (const { description, data } of findStreams(this.file)) {
      if (left <= 0) break
      if (!/\/Type\s{0,9}\/ObjStm/.test(description) || !description.includes(PACKED)) continue
      const text = unpack(data)
      const first = Number(/\/First\s{1,9}(\d{1,9})/.exec(description)?.[1])
      if (text === undefined || !Number.isFinite(first)) continue
      left -= text.length
      const places = [...text.slice(0, first).matchAll(/(\d{1,9})\s{1,9}(\d{1,9})/g)]
      places.forEach(([, number, place], index) => {
        const next = places[index + 1]?.[2]
        objects.set(
          Number(number),
          text.slice(first + Number(place), next === undefined ? undefined : first + Number(next)),
        )
      })
    }
    return objects
  }
}

function unpack(data: Buffer): string | undefined {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_BYTES }
    return inflateSync(data, options).toString('latin1')
  } catch {
    return undefined
  }
}
