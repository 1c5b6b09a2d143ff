import { officeParser } from '../pages/office-page.js'

/**
 * Reads Word documents, without macros.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-376/
 */
export const docx = officeParser('docx', async () => (await import('../../office/docx/docx.js')).readDocx)
