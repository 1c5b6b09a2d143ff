import { readPptx } from '../../office/pptx/pptx.js'
import { officeParser } from '../pages/office-page.js'

/** Presentations of PowerPoint, with or without macros. @see ECMA-376 */
export const pptx = officeParser('pptx', readPptx)
