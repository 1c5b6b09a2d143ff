import { officeParser } from '../pages/office-page.js'

/** Reads Excel workbooks. @see https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
export const xlsx = officeParser('xlsx', async () => (await import('../../office/xlsx/xlsx.js')).readXlsx)
