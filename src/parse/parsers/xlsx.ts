import { readXlsx } from '../../office/xlsx/xlsx.js'
import { officeParser } from '../pages/office-page.js'

/** Reads Excel workbooks. @see https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
export const xlsx = officeParser('xlsx', readXlsx)
