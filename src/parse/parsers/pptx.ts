import { readPptx } from '../../office/pptx.js'
import { officeParser } from '../office-page.js'

/** Presentations of PowerPoint, with or without macros. @see ECMA-376 */
export const pptx = officeParser('pptx', readPptx)
