import { readOdt } from '../../office/odt.js'
import { officeParser } from '../office-page.js'

/** Texts of the OpenDocument format. @see OpenDocument 1.3 */
export const odt = officeParser('odt', readOdt)
