import { inflateSync } from 'node:zlib'

export interface Png {
  readonly width: number
  readonly height: number
  /** Three or four bytes a pixel, row by row. */
  readonly pixels: Uint8Array
  readonly channels: number
}

/** Reads a PNG of eight bits a channel, as browsers write them. @see PNG specification, sections 5, 9, 11 */
export function readPng(bytes: Uint8Array | undefined): Png {
  const data = Buffer.from(bytes ?? [])
  if (data.subarray(1, 4).toString() !== 'PNG') throw new Error('no PNG')
  const width = data.readUInt32BE(16)
  const height = data.readUInt32BE(20)
  const channels = data[25] === 6 ? 4 : 3
  const parts: Buffer[] = []
  for (let at = 8; at < data.length;) {
    const length = data.readUInt32BE(at)
    if (data.subarray(at + 4, at + 8).toString() === 'IDAT') parts.push(data.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const pixels = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? (pixels[y * stride + x - channels] ?? 0) : 0
      const up = y > 0 ? (pixels[(y - 1) * stride + x] ?? 0) : 0
      const corner = y > 0 && x >= channels ? (pixels[(y - 1) * stride + x - channels] ?? 0) : 0
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)]
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + (guesses[filter] ?? 0)
    }
  }
  return { width, height, pixels, channels }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** Red, green and blue. */
export const pixelAt = ({ width, pixels, channels }: Png, x: number, y: number): number[] => [
  ...pixels.subarray((y * width + x) * channels, (y * width + x) * channels + 3),
]
