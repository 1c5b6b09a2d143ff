import { officeParser } from '../pages/office-page.js'

/**
 * Reads PowerPoint presentations.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-376/
 */
export const pptx = officeParser('pptx', async () => (await import('../../office/pptx/pptx.js')).readPptx)
