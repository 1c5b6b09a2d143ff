/** Generated audio and video files: a tone of at most one second, and as much of each container as its readers need. */

const RATE = 8000

/** A tone as samples of 16 bits, little-endian, one channel. */
function makeTone(seconds: number): Buffer {
  const samples = Buffer.alloc(Math.round(RATE * seconds) * 2)
  for (let at = 0; at < samples.length / 2; at++) {
    samples.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * 440 * at) / RATE)), at * 2)
  }
  return samples
}

export function makeWav(seconds = 0.5): Buffer {
  const tone = makeTone(seconds)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + tone.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(tone.length, 40)
  return Buffer.concat([head, tone])
}

/** Frames of silence: MPEG 1, layer III, 128 kbit/s, 44.1 kHz. @param mark a byte that distinguishes files */
export function makeMp3(frames = 4, mark = 0): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  frame[416] = mark
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Words of 32 bits; a text stands for its characters. */
const words = (...values: readonly (number | string)[]): Buffer =>
  Buffer.concat(
    values.map((value) => {
      if (typeof value === 'string') return Buffer.from(value, 'latin1')
      const word = Buffer.alloc(4)
      word.writeUInt32BE(value)
      return word
    }),
  )

const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]

interface MovieOptions {
  /** @default true: the index before the data */
  readonly indexFirst?: boolean
  /** @default ['soun'] */
  readonly tracks?: readonly ('soun' | 'vide')[]
  /** @default 'qt  ' */
  readonly brand?: string
  readonly seconds?: number
}

/** A QuickTime or MP4 file with a tone, and optionally with an empty video track. */
export function makeMovie({
  indexFirst = true,
  tracks = ['soun'],
  brand = 'qt  ',
  seconds = 0.5,
}: MovieOptions = {}): Buffer {
  const tone = makeTone(seconds)
  const top = box('ftyp', words(brand, 0x200, brand))
  const data = box('mdat', tone)
  const index = (offset: number): Buffer =>
    box(
      'moov',
      makeHead(tone.length / 2),
      ...tracks.map((kind, at) => makeTrack(kind, at + 1, tone.length / 2, offset)),
    )
  if (!indexFirst) return Buffer.concat([top, data, index(top.length + 8)])
  const size = index(0).length
  return Buffer.concat([top, index(top.length + size + 8), data])
}

const makeHead = (length: number): Buffer =>
  box('mvhd', words(0, 0, 0, RATE, length, 0x10000, 0x01000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 3))

function makeTrack(kind: 'soun' | 'vide', id: number, length: number, offset: number): Buffer {
  const isSound = kind === 'soun'
  const shown = isSound ? [0, 0] : [16 << 16, 16 << 16]
  const entry = isSound
    ? box('sowt', words(0, 1, 0, 0, (1 << 16) | 16, 0, RATE * 65536))
    : box(
        'raw ',
        words(0, 1, 0, 0, 0, 0, (16 << 16) | 16, 0x480000, 0x480000, 0, 1 << 16),
        Buffer.alloc(30),
        words(0x0018ffff),
      )
  const table = box(
    'stbl',
    box('stsd', words(0, 1), entry),
    box('stts', isSound ? words(0, 1, length, 1) : words(0, 0)),
    box('stsc', isSound ? words(0, 1, 1, length, 1) : words(0, 0)),
    box('stsz', isSound ? words(0, 2, length) : words(0, 0, 0)),
    box('stco', isSound ? words(0, 1, offset) : words(0, 0)),
  )
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, RATE, isSound ? length : 0, 0)),
    box('hdlr', words(0, 'mhlr', kind, 0, 0, 0), Buffer.alloc(1)),
    box(
      'minf',
      box(isSound ? 'smhd' : 'vmhd', words(isSound ? 0 : 1, 0), isSound ? Buffer.alloc(0) : words(0)),
      box('dinf', box('dref', words(0, 1), box('url ', words(1)))),
      table,
    ),
  )
  return box(
    'trak',
    box('tkhd', words(7, 0, 0, id, 0, isSound ? length : 0, 0, 0, 0, 0x01000000, ...MATRIX, ...shown)),
    media,
  )
}
