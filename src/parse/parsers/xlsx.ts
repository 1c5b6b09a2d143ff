import { readXlsx } from '../../office/xlsx.js'
import { officeParser } from '../office-page.js'

/** Workbooks of Excel, with or without macros. @see ECMA-376 */
export const xlsx = officeParser('xlsx', readXlsx)
