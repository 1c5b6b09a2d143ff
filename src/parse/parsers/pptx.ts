import { readPptx } from '../../office/pptx/pptx.js'
import { officeParser } from '../pages/office-page.js'

/**
 * Reads PowerPoint presentations.
 *
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-376/
 */
export const pptx = officeParser('pptx', readPptx)
