import { digestFile, type Digest } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'

export const fileUrl = 'https://site.test/files/file'

/** What an office file comes to. The media type says only that it is a zip. */
export const readFile = (body: Uint8Array, contentType = 'application/zip', formats = {}): Promise<Digest> =>
  digestFile({ url: fileUrl, body, contentType }, digestPlan(formats))

/** Its Markdown, with addresses as the file has them. */
export const markdownOf = async (body: Uint8Array, contentType?: string): Promise<string> =>
  ((await readFile(body, contentType)).fields.markdown ?? '').replaceAll(fileUrl, '').trim()

/** The code of the error that reading ends with; undefined where it ends with a document. */
export async function refusalOf(body: Uint8Array, contentType?: string): Promise<string | undefined> {
  try {
    await readFile(body, contentType)
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
}
