import { readDocx } from '../../office/docx/docx.js'
import { officeParser } from '../pages/office-page.js'

/** Documents of Word, with or without macros. @see ECMA-376 */
export const docx = officeParser('docx', readDocx)
