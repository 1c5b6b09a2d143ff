import { readXlsx } from '../../office/xlsx/xlsx.js'
import { officeParser } from '../pages/office-page.js'

/** Workbooks of Excel, with or without macros. @see ECMA-376 */
export const xlsx = officeParser('xlsx', readXlsx)
