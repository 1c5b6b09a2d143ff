import { readDocx } from '../../office/docx.js'
import { officeParser } from '../office-page.js'

/** Documents of Word, with or without macros. @see ECMA-376 */
export const docx = officeParser('docx', readDocx)
