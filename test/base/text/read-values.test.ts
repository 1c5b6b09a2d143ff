import { describe, expect, it } from 'vitest'
import { findDecimal, readAmount } from '../../../src/base/text/read-amount.js'
import { findDayFirst, readDate } from '../../../src/base/text/read-date.js'

describe('a number with its unit', () => {
  it.each([
    ['12', { value: 12, unit: '' }],
    ['1,234.5 km', { value: 1234.5, unit: 'km' }],
    ['$1,299.00', { value: 1299, unit: '$' }],
    ['US$ 20', { value: 20, unit: 'US$', currency: 'USD' }],
    ['€ 5', { value: 5, unit: '€', currency: 'EUR' }],
    ['20 CHF', { value: 20, unit: 'CHF', currency: 'CHF' }],
    ['12 345 kr', { value: 12_345, unit: 'kr' }],
    ['−4 °C', { value: -4, unit: '°C' }],
    ['85%', { value: 85, unit: '%' }],
    ['45 comments', { value: 45, unit: 'comments' }],
    ['1.2k', { value: 1200, factor: 1e3, unit: '' }],
    ['-1.2k', { value: -1200, factor: 1e3, unit: '' }],
    ['$1.2M', { value: 1_200_000, factor: 1e6, unit: '$' }],
    ['-$0.5k', { value: -500, factor: 1e3, unit: '$' }],
    ['€3.4bn', { value: 3_400_000_000, factor: 1e9, unit: '€', currency: 'EUR' }],
    ['$1.2m', { value: 1_200_000, factor: 1e6, unit: '$' }],
    ['12 M€', { value: 12_000_000, factor: 1e6, unit: '€', currency: 'EUR' }],
    ['USD 1.2 million', { value: 1_200_000, factor: 1e6, unit: 'USD', currency: 'USD' }],
    ['1.2 billion USD', { value: 1_200_000_000, factor: 1e9, unit: 'USD', currency: 'USD' }],
    ['$120k/yr', { value: 120_000, factor: 1e3, unit: '$' }],
    ['5k views', { value: 5000, factor: 1e3, unit: 'views' }],
    ['1.5 млн ₽', { value: 1_500_000, factor: 1e6, unit: '₽', currency: 'RUB' }],
    ['3万円', { value: 30_000, factor: 1e4, unit: '円', currency: 'JPY' }],
    ['5m views', { value: 5_000_000, factor: 1e6, unit: 'views' }],
    ['1M+ downloads', { value: 1_000_000, factor: 1e6, unit: 'downloads' }],
    ['10K+', { value: 10_000, factor: 1e3, unit: '' }],
    ['3.2万亿', { value: 3_200_000_000_000, factor: 1e12, unit: '' }],
    ['5百万円', { value: 5_000_000, factor: 1e6, unit: '円', currency: 'JPY' }],
    ['$3 thousand million', { value: 3_000_000_000, factor: 1e9, unit: '$' }],
    ['₹1 lakh crore', { value: 1_000_000_000_000, factor: 1e12, unit: '₹', currency: 'INR' }],
    ['₹1.2 Cr', { value: 12_000_000, factor: 1e7, unit: '₹', currency: 'INR' }],
    ['5 m EUR', { value: 5_000_000, factor: 1e6, unit: 'EUR', currency: 'EUR' }],
    ['1 Md€', { value: 1_000_000_000, factor: 1e9, unit: '€', currency: 'EUR' }],
    ['2 m USB', { value: 2, unit: 'm USB' }],
    ['18 mm MDF', { value: 18, unit: 'mm MDF' }],
    ['1,980円（税込）', { value: 1980, unit: '円', currency: 'JPY' }],
    ['9.99 € (inkl. MwSt.)', { value: 9.99, unit: '€', currency: 'EUR' }],
    ['9.99 € inkl. MwSt.', { value: 9.99, unit: '€ inkl. MwSt.', currency: 'EUR' }],
    ['1200 RPM', { value: 1200, unit: 'RPM' }],
    ['₹12,50,000', { value: 1_250_000, unit: '₹', currency: 'INR' }],
    ['₹1,25,000.50', { value: 125_000.5, unit: '₹', currency: 'INR' }],
    ['Rs. 1,299', { value: 1299, unit: 'Rs.' }],
    ['Rs 5 lakh', { value: 500_000, factor: 1e5, unit: 'Rs' }],
    ['Rs. 1.2 Cr', { value: 12_000_000, factor: 1e7, unit: 'Rs.' }],
    ['RM1,280.50', { value: 1280.5, unit: 'RM', currency: 'MYR' }],
    ['Rp. 12.500', { value: 12.5, unit: 'Rp.', currency: 'IDR' }],
    ['NTD 1,200', { value: 1200, unit: 'NTD', currency: 'TWD' }],
    ['0.5 BTC', { value: 0.5, unit: 'BTC', currency: 'BTC' }],
    ['12 EUR/kg', { value: 12, unit: 'EUR/kg', currency: 'EUR' }],
    ['12 EUR per month', { value: 12, unit: 'EUR per month', currency: 'EUR' }],
    ['12 CAD drawings', { value: 12, unit: 'CAD drawings' }],
    ['19,800원', { value: 19_800, unit: '원', currency: 'KRW' }],
    ['١٬٢٣٤٫٥ ر.س', { value: 1234.5, unit: 'ر.س' }],
    ['۹۰۰٬۰۰۰ تومان', { value: 900_000, unit: 'تومان' }],
    ['₹१,२५०', { value: 1250, unit: '₹', currency: 'INR' }],
    ['￥１，９８０', { value: 1980, unit: '￥' }],
    ['4K UHD', { value: 4, unit: 'K UHD' }],
    ['2700K warm', { value: 2700, unit: 'K warm' }],
    ['€2.50 m', { value: 2.5, unit: '€', currency: 'EUR' }],
    ['€1.29 l', { value: 1.29, unit: '€', currency: 'EUR' }],
    ['$120.50 CR', { value: 120.5, unit: '$' }],
    ['kr. 129 md.', { value: 129, unit: 'kr.' }],
    ['6 mdr.', { value: 6, unit: 'mdr.' }],
    ['5 m', { value: 5, unit: 'm' }],
    ['$5 m²', { value: 5, unit: '$' }],
    ['5 mn', { value: 5, unit: 'mn' }],
    ['300 K', { value: 300, unit: 'K' }],
    ['8 KB', { value: 8, unit: 'KB' }],
    ['-$1,299.00', { value: -1299, unit: '$' }],
    ['−€ 5', { value: -5, unit: '€', currency: 'EUR' }],
    ['+$5', { value: 5, unit: '$' }],
    ['20.00-', { value: -20, unit: '' }],
    ['€ 1,234-', { value: -1234, unit: '€', currency: 'EUR' }],
    ['5.-', { value: 5, unit: '' }],
    ['299,-', { value: 299, unit: '' }],
    ['1 299:-', { value: 1299, unit: '' }],
    ['12€99', { value: 12.99, unit: '€', currency: 'EUR' }],
    ['S/ 129.90', { value: 129.9, unit: 'S/', currency: 'PEN' }],
    ['299 Kč', { value: 299, unit: 'Kč', currency: 'CZK' }],
    ['₦12,500', { value: 12500, unit: '₦', currency: 'NGN' }],
    ['10-inch', { value: 10, unit: '-inch' }],
    ['€20 - per night', { value: 20, unit: '€', currency: 'EUR' }],
    ['$1,200 -', { value: 1200, unit: '$' }],
    ['20 - per night', { value: 20, unit: '- per night' }],
    ['лв 1,100', { value: 1100, unit: 'лв' }],
  ])('is read from %s', (text, amount) => {
    expect(readAmount(text)).toEqual({ factor: 1, ...amount })
  })

  it.each([
    '',
    'none',
    '10 - 20',
    '10 20',
    '3 of 5',
    'v1.2.3',
    '1,23,4',
    '123,45,678',
    'Room 5 west',
    '2-',
    '20 -',
    '-Room 5',
    'RFC 2616',
    'XLR 3 m',
  ])('is not read from "%s"', (text) => {
    expect(readAmount(text)).toBeUndefined()
  })

  it.each(['R$ 5 mil', '5 T€', '$1.2T', '₹45L', '$12.99 K cups'])(
    'is not read from "%s", whose scale has several meanings',
    (text) => {
      expect(readAmount(text)).toBeUndefined()
    },
  )

  it('has the decimal sign of its column', () => {
    expect(findDecimal(['1.234,50 €', '2,00 €'])).toBe(',')
    expect(findDecimal(['1.299 €', '499 €'])).toBe(',')
    expect(findDecimal(['Rp99.000', 'Rp1.280'])).toBe(',')
    expect(findDecimal(['Rs 1,299', 'Rs 2,150'], 'de')).toBe('.')
    expect(findDecimal(['1,299', '2,000.5'])).toBe('.')
    expect(findDecimal(['3.755.251', '331.885'])).toBe(',')
    expect(findDecimal(['0.125', '1.299'], 'de')).toBe('.')
    expect(findDecimal(['1234.567', '1.299'], 'de')).toBe('.')
    expect(findDecimal(['12 345,678', '1,299'])).toBe(',')
    expect(readAmount('1,2 Mio. €', ',')).toEqual({ value: 1_200_000, factor: 1e6, unit: '€', currency: 'EUR' })
    expect(readAmount('1,2 Billion €', ',')).toBeUndefined()
    expect(readAmount('1.234,50 €', ',')).toEqual({ value: 1234.5, factor: 1, unit: '€', currency: 'EUR' })
  })
})

describe('a number that can be read in two ways has the decimal sign of the language of its page', () => {
  it.each([
    ['de', '1.234', ','],
    ['pt_BR', '1.234', ','],
    ['de', '1,234', ','],
    ['de-CH', '1.234', '.'],
    ['es-MX', '1.234', '.'],
    ['en', '1.234', '.'],
    ['', '1.234', '.'],
    ['xx', '1.234', '.'],
    ['of no land', '1.234', '.'],
    ['fr', '1.234', '.'],
    ['es', '$1,299', '.'],
    ['es', '$1.299', ','],
    ['es', '1,100 USD', '.'],
    ['es', 'MXN 11,100', '.'],
    ['es', '1,100 USD por noche', '.'],
    ['bg', '1,100 лв', '.'],
    ['hu', '1,100 Ft', '.'],
    ['cs', '1,100 Kč', '.'],
    ['en', '1.100 Kč', ','],
    ['en', '1.100 EUR', ','],
    ['sv', '1,299 kr/mån', '.'],
    ['en-ZA', '11,100', '.'],
    ['es-419', '11,100', '.'],
    ['de-AT', '11.100', ','],
    ['pt-PT', '11.100', ','],
    ['nl', '11.100', ','],
    ['fr-CH', '11.100', '.'],
    ['de', '11.100 Einwohner', ','],
    ['de', '47.100°', '.'],
    ['de', '1.100 s', '.'],
    ['de', '2.962 m', ','],
    ['de', '1.234 km²', ','],
    ['de', '1,100 kg', ','],
  ])('%s: %s', (language, text, decimal) => {
    expect(findDecimal([text, '999'], language)).toBe(decimal)
  })
})

describe('a date', () => {
  it.each([
    ['2024-03-05', '2024-03-05'],
    ['2024-03-05T14:30:00Z', '2024-03-05T14:30:00Z'],
    ['March 5, 2024', '2024-03-05'],
    ['5. März 2024', '2024-03-05'],
    ['Tuesday, 5th of March 2024', '2024-03-05'],
    ['Mar 2024', '2024-03'],
    ['Mar 5, 2024 at 2:30 PM', '2024-03-05T14:30'],
    ['5 de marzo de 2024', '2024-03-05'],
    ['31/12/2024', '2024-12-31'],
    ['31/12/2024 14:30', '2024-12-31T14:30'],
    ['31/12/2024, 2:30:15 PM', '2024-12-31T14:30:15'],
    ['31/12/2024 9:00 PDT', '2024-12-31T09:00'],
    ['Mar 5, 2024 14:30:15', '2024-03-05T14:30:15'],
    ['29 February 2024', '2024-02-29'],
    ['31/12/24', '2024-12-31'],
    ['31/12/99', '1999-12-31'],
    ['31.12.2024 24:00 Uhr', '2024-12-31'],
    ['2024-05-06T24:00:00Z', '2024-05-06'],
    ['2016-12-31T23:59:60Z', '2016-12-31'],
    ['2024/3/5', '2024-03-05'],
    ['2024年3月5日', '2024-03-05'],
    ['2024. 3. 5.', '2024-03-05'],
    ['2024. 03. 05. 14:30', '2024-03-05T14:30'],
    ['31. 12. 2024', '2024-12-31'],
  ])('is read from %s', (text, date) => {
    expect(readDate(text)).toBe(date)
  })

  it.each([
    '',
    '2024',
    '3 days ago',
    '05/04/2024',
    'March 2024 was a good month',
    '32 March 2024',
    'May',
    '31. 12. 24',
    '1. 2. 3',
    '5- 3- 2024',
  ])('is not read from "%s"', (text) => {
    expect(readDate(text)).toBeUndefined()
  })

  it.each([
    '30 February 2024',
    '2023-02-29',
    '31/04/2024',
    '2024年2月30日',
    '2024-03-05T25:61',
    '2024-03-05T10:00+99:99',
    '31/12/2024 24:30',
    '31/12/2024 24:60:60',
    'Mar 5, 2024 at 12:60',
  ])('is not read from the day or time "%s", which does not exist', (text) => {
    expect(readDate(text)).toBeUndefined()
  })

  it('has the order of day and month of its column', () => {
    expect(findDayFirst(['05/04/2024', '25/04/2024'])).toBe(true)
    expect(findDayFirst(['5. 4. 2024', '6. 4. 2024'])).toBe(true)
    expect(findDayFirst(['05/04/2024', '04/25/2024'])).toBe(false)
    expect(findDayFirst(['05.04.2024'])).toBe(true)
    expect(findDayFirst(['05.04.2024', '04/25/2024'])).toBe('mixed')
    expect(findDayFirst(['25/04/2024', '05/04/2024', '04/25/2024'])).toBe('mixed')
    expect(findDayFirst(['05.04.2024', '04.25.2024'])).toBe(false)
    expect(findDayFirst(['05.04.2024', '04.25.2024', '25.04.2024'])).toBe('mixed')
    expect(findDayFirst(['05/04/2024', '99/99/2024'])).toBeUndefined()
    expect(readDate('05/04/2024', true)).toBe('2024-04-05')
  })
})
