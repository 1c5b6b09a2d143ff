import { codeAt } from '../../../base/collections/code-at.js'
import { ELEMENT_NAMES, flagsOf } from './element-rules.js'

/** Attributes that pages have most. */
const ATTRIBUTE_NAMES =
  'alt aria-hidden aria-label async class colspan content data-id data-src height href hreflang id itemprop itemscope itemtype ' +
  'lang loading media name onclick property rel role rowspan scope sizes src srcset style tabindex target type value width'

/** Slots for common names, and for other names of a page. Powers of two. */
const COMMON_SLOTS = 2048
const PAGE_SLOTS = 256

/**
 * Reads lower-case names of elements and attributes from a page. A name that a page repeats is one string, so that no
 * memory is allocated for it twice, and engines compare and look it up by its address.
 *
 * Common names are in a hash table for all pages, and others in one of the page. Each has one slot for each hash: of
 * two names with the same hash, the later one is remembered.
 */
export class NameTable {
  readonly #source: string
  readonly #slots = empty.slice()
  readonly #flags = new Int32Array(PAGE_SLOTS)
  /** Offset after the name that was read last. */
  end = 0
  /** Lists of the element rules that an element of this name is in: see {@link flagsOf}. */
  flags = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Reads the name that begins at an offset. Its first character may be any, the others are not in `ends`. */
  read(start: number, ends: Uint8Array): string {
    const source = this.#source
    const { length } = source
    let code = source.charCodeAt(start)
    let hash = 0
    let bits = 0
    let at = start
    do {
      bits |= code
      hash = hashNext(hash, code)
      at += 1
      code = at < length ? source.charCodeAt(at) : 0
    } while (at < length && ends[code] !== 1)
    this.end = at
    const slot = hash & (PAGE_SLOTS - 1)
    if (bits < 128) {
      const frequent = common[hash & (COMMON_SLOTS - 1)]
      if (frequent !== undefined && this.#isAt(start, frequent)) {
        this.flags = commonFlags[hash & (COMMON_SLOTS - 1)] ?? 0
        return frequent
      }
      const known = this.#slots[slot]
      if (known !== undefined && this.#isAt(start, known)) {
        this.flags = this.#flags[slot] ?? 0
        return known
      }
    }
    const name = source.slice(start, at).toLowerCase()
    this.#slots[slot] = name
    this.flags = this.#flags[slot] = flagsOf(name)
    return name
  }

  /** True if this name is the one that was read, from an offset on. */
  #isAt(start: number, name: string): boolean {
    if (name.length !== this.end - start) return false
    for (let at = 0; at < name.length; at++) {
      const code = this.#source.charCodeAt(start + at)
      if ((code >= 65 && code <= 90 ? code + 32 : code) !== codeAt(name, at)) return false
    }
    return true
  }
}

// Letters have the same hash in both cases.
const hashNext = (hash: number, code: number): number => (Math.imul(hash, 31) + (code | 32)) | 0

const empty: readonly (string | undefined)[] = Array.from({ length: PAGE_SLOTS })
const common: readonly (string | undefined)[] = fillSlots()
const commonFlags = Int32Array.from(common, (name) => (name === undefined ? 0 : flagsOf(name)))

function fillSlots(): (string | undefined)[] {
  const slots = Array.from<string | undefined>({ length: COMMON_SLOTS })
  // Keys of an object are in the engine's own table of names.
  const names = Object.fromEntries([...ELEMENT_NAMES, ...ATTRIBUTE_NAMES.split(' ')].map((name) => [name, true]))
  for (const name of Object.keys(names)) {
    let hash = 0
    for (let at = 0; at < name.length; at++) hash = hashNext(hash, name.charCodeAt(at))
    slots[hash & (COMMON_SLOTS - 1)] = name
  }
  return slots
}
