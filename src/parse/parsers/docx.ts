import { readDocx } from '../../office/docx/docx.js'
import { officeParser } from '../pages/office-page.js'

/** Reads Word documents; macros are ignored. @see ECMA-376 */
export const docx = officeParser('docx', readDocx)
