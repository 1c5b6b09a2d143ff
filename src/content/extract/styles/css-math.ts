/** Pixels of the window that lengths are relative to: that of a desktop browser. */
const WINDOW = { width: 1280, height: 720 }

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 9.6 / 2.54],
  ['q', 2.4 / 2.54],
  ['rem', 16],
  ['rex', 8],
  ['rch', 8],
  ...['', 's', 'l', 'd'].flatMap((kind): [string, number][] => [
    [`${kind}vw`, WINDOW.width / 100],
    [`${kind}vi`, WINDOW.width / 100],
    [`${kind}vh`, WINDOW.height / 100],
    [`${kind}vb`, WINDOW.height / 100],
    [`${kind}vmin`, WINDOW.height / 100],
    [`${kind}vmax`, WINDOW.width / 100],
  ]),
  ['deg', 1],
  ['turn', 360],
  ['grad', 0.9],
  ['rad', 180 / Math.PI],
  ['s', 1],
  ['ms', 0.001],
])

/** Sizes that others are relative to. */
interface Scale {
  /** Pixels of one `em`. @default 16 */
  readonly em?: number
  /** Value of 100 %. @default not known */
  readonly whole?: number
}

const PLAIN = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/

/**
 * Reads a number with its unit: a length as pixels, an angle as degrees, a time as seconds. Functions of CSS that compute are computed.
 *
 * @returns undefined for what is no number, or depends on the layout
 */
export function numberOf(value: string | undefined, scale: Scale = {}): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  const [, written, unit = ''] = PLAIN.exec(text) ?? []
  if (written !== undefined) return withUnit(Number(written), unit, scale)
  if (!/^[a-z-]*\(/.test(text)) return undefined
  const result = new Calculation(text, scale).read()
  return Number.isFinite(result) ? result : undefined
}

function withUnit(amount: number, unit: string, { em = 16, whole }: Scale): number | undefined {
  if (amount === 0) return 0
  if (unit === '%') return whole === undefined ? undefined : (amount / 100) * whole
  const size = unit === 'em' ? em : /^(?:ex|ch|ic|cap|lh)$/.test(unit) ? em / 2 : UNITS.get(unit)
  return size === undefined ? undefined : amount * size
}

/** Maximum nesting of brackets. */
const MAX_DEPTH = 12

/** A calculation as CSS has them, which is read from left to right. What is not understood is not a number. */
class Calculation {
  readonly #parts: readonly string[]
  readonly #scale: Scale
  #at = 0

  constructor(text: string, scale: Scale) {
    this.#parts = text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[a-z%]*|[a-z-]+\(|[()+*/,-]|[^\s()+*/,-]+/g) ?? []
    this.#scale = scale
  }

  read(): number {
    const value = this.#readSum(0)
    return this.#at === this.#parts.length ? value : NaN
  }

  #readSum(depth: number): number {
    let value = this.#readProduct(depth)
    for (;;) {
      const sign = this.#parts[this.#at] ?? ''
      // A sign before a number is part of it where no space divides them.
      if (sign === '+' || sign === '-') {
        this.#at += 1
        value += (sign === '+' ? 1 : -1) * this.#readProduct(depth)
      } else if (/^[+-][\d.]/.test(sign)) value += this.#readProduct(depth)
      else return value
    }
  }

  #readProduct(depth: number): number {
    let value = this.#readValue(depth)
    for (let sign = this.#parts[this.#at]; sign === '*' || sign === '/'; sign = this.#parts[this.#at]) {
      this.#at += 1
      const next = this.#readValue(depth)
      value = sign === '*' ? value * next : value / next
    }
    return value
  }

  #readValue(depth: number): number {
    const part = this.#parts[this.#at] ?? ''
    this.#at += 1
    if (part === '-') return -this.#readValue(depth)
    if (!part.endsWith('(')) {
      const [, written = '', unit = ''] = PLAIN.exec(part) ?? []
      return written === '' ? NaN : (withUnit(Number(written), unit, this.#scale) ?? NaN)
    }
    const values: number[] = []
    if (depth >= MAX_DEPTH) return NaN
    for (let end: string | undefined = ','; end === ','; this.#at += 1) {
      values.push(this.#readSum(depth + 1))
      end = this.#parts[this.#at]
    }
    return compute(part.slice(0, -1), values)
  }
}

function compute(name: string, values: readonly number[]): number {
  const [one = NaN, two = NaN, three = NaN] = values
  switch (name) {
    case '':
    case 'calc':
    case '-webkit-calc':
      return one
    case 'min':
      return Math.min(...values)
    case 'max':
      return Math.max(...values)
    case 'clamp':
      return Math.max(one, Math.min(two, three))
    case 'abs':
      return Math.abs(one)
    case 'sign':
      return Math.sign(one)
    default:
      return NaN
  }
}
