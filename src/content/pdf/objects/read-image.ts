import type { PagePicture } from '../../ocr/ocr.js'
import { MAX_IMAGE_PIXELS, type OpenPdf, type PdfPage } from '../library/load-pdf.js'

/** Image as grey pixels, row by row. */
interface GreyPicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

interface Image {
  readonly width: number
  readonly height: number
  /** Pixel format: 1 for one bit, 2 for RGB, 3 for RGBA. */
  readonly kind?: number
  readonly data?: Uint8Array | Uint8ClampedArray
}

/** Reads the largest image of a page; undefined if there is none that can be decoded. */
export async function readImage(page: PdfPage, { operations }: OpenPdf): Promise<PagePicture | undefined> {
  const found = await findLargest(page, operations)
  if (found === undefined) return undefined
  const { width, height, pixels } = found
  const head = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`)
  const bytes = new Uint8Array(head.length + pixels.length)
  bytes.set(head)
  bytes.set(pixels, head.length)
  return { bytes, mediaType: 'image/x-portable-graymap', page: page.pageNumber, width, height }
}

async function findLargest(page: PdfPage, operations: OpenPdf['operations']): Promise<GreyPicture | undefined> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 })
  let best: GreyPicture | undefined
  for (const [index, operation] of (fnArray as number[]).entries()) {
    const args: unknown = argsArray[index]
    const first: unknown = Array.isArray(args) ? args[0] : undefined
    const isMask = operation === operations.paintImageMaskXObject
    if (!isMask && operation !== operations.paintImageXObject && operation !== operations.paintInlineImageXObject)
      continue
    const image = await resolve(page, first)
    if (image === undefined || image.width * image.height <= (best?.pixels.length ?? 0)) continue
    best = toGrey(image, isMask) ?? best
  }
  return best
}

async function resolve(page: PdfPage, value: unknown): Promise<Image | undefined> {
  const named = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  if (typeof named !== 'string') return isImage(value) ? value : undefined
  const objects = named.startsWith('g_') ? page.commonObjs : page.objs
  const found: unknown = await new Promise((done) => void objects.get(named, done))
  if (!isImage(found)) return undefined
  return isImage(value) ? { ...value, ...found } : found
}

const isImage = (value: unknown): value is Image =>
  typeof value === 'object' && value !== null && 'width' in value && 'height' in value

function toGrey({ width, height, kind, data }: Image, isMask: boolean): GreyPicture | undefined {
  if (data === undefined || width * height > MAX_IMAGE_PIXELS || width < 1 || height < 1) return undefined
  const pixels = new Uint8Array(width * height)
  const isBits = kind === 1 || (isMask && data.length < width * height)
  const channels = isBits ? 0 : Math.round(data.length / (width * height))
  if (!isBits && channels < 1) return undefined
  const rowBytes = (width + 7) >> 3
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      if (isBits) pixels[at] = ((data[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0
      else if (channels < 3) pixels[at] = data[at * channels] ?? 0
      else {
        const [red = 0, green = 0, blue = 0] = [data[at * channels], data[at * channels + 1], data[at * channels + 2]]
        pixels[at] = (red * 77 + green * 150 + blue * 29) >> 8
      }
    }
  }
  return { width, height, pixels }
}
