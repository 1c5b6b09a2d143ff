import { lines, type Piece } from './make-pdf.js'
import { count, type MadeFile, NAMES, NUMBER_WORDS, sentence, spell, WORDS } from './made-text.js'

/** A name that is no part of another one. */
const person = (page: number): string => `${NAMES[page % NAMES.length]} ${spell(page + 100)}`

const certificate = (page: number): Piece[] => [
  { text: 'The Harbour School of Elm', x: 220, y: 50, size: 9 },
  { text: 'CERTIFICATE', x: 230, y: 130, size: 26, font: 'Times-Bold' },
  { text: 'This is to certify that', x: 240, y: 200, size: 12 },
  { text: person(page), x: 230, y: 240, size: 18 },
  { text: `has completed the course ${WORDS[page % WORDS.length]}`, x: 210, y: 280, size: 12 },
  { text: 'Maria Olsen, head of the school', x: 72, y: 700, size: 10 },
  { text: `Number 2025/${page + 301}`, x: 72, y: 760, size: 8 },
]

const certificates = (amount: number): MadeFile => ({
  name: `${amount} certificates with a school above and a number below`,
  pages: count(amount).map((page) => ({ pieces: certificate(page) })),
  wanted: count(amount).flatMap((page) => [person(page), `Number 2025/${page + 301}`]),
  repeated: { 'The Harbour School of Elm': amount, CERTIFICATE: amount, 'Maria Olsen, head of the school': amount },
})

const LETTERHEAD = ['Harbour Lamps Ltd', '12 Pier Road, 4012 Elm, telephone 12 345']
const BANK = 'Elm Savings Bank, account 40 12 887, tax number 99 881'

const items = (page: number): string[] =>
  count(3 + (page % 4)).map((line) => `${line + 1} Lamp ${spell(page * 10 + line)} ${(page + 3) * (line + 2)}.00`)

const manyItems = (page: number): string[] =>
  count(22).map((line) => `${sentence(page * 100 + line, 4)} ${(line + 2) * (page + 3)}.00`)

const invoice = (page: number, footSize: number): Piece[] => [
  ...lines(LETTERHEAD, { x: 72, y: 44 }, 14),
  { text: `Invoice 2025-${page + 101}`, x: 72, y: 110, size: 16 },
  { text: person(page), x: 72, y: 150 },
  { text: `Date: ${(page % 27) + 1} March 2025`, x: 72, y: 180 },
  ...lines(items(page), { x: 72, y: 230 }, 18),
  { text: `Total: ${page + 5}00.00 crowns`, x: 72, y: 420 },
  { text: 'Please pay within two weeks.', x: 72, y: 460 },
  { text: BANK, x: 72, y: 764, size: footSize },
]

const invoices = (amount: number, footSize: number): MadeFile => ({
  name: `${amount} invoices with a letterhead and a foot of ${footSize} points`,
  pages: count(amount).map((page) => ({ pieces: invoice(page, footSize) })),
  wanted: count(amount).flatMap((page) => [
    `Invoice 2025-${page + 101}`,
    person(page),
    `Total: ${page + 5}00.00 crowns`,
  ]),
  repeated: {
    ...Object.fromEntries(LETTERHEAD.map((line) => [line, amount])),
    'Please pay within two weeks.': amount,
    [BANK]: amount,
  },
})

const bullets = (page: number): string[] => count(4).map((line) => sentence(page * 100 + line, 5))

const slides = (amount: number, title: (page: number) => string, foot?: (page: number) => Piece[]): MadeFile['pages'] =>
  count(amount).map((page) => ({
    pieces: [
      { text: title(page), x: 60, y: 80, size: 30 },
      ...lines(bullets(page), { x: 60, y: 180, size: 18 }, 50),
      ...(foot?.(page) ?? []),
    ],
  }))

const conference = (page: number): Piece[] => [
  { text: 'Elm Harbour Conference', x: 60, y: 770, size: 9 },
  { text: `${page + 1}`, x: 540, y: 770, size: 9 },
]

const payslip = (page: number): Piece[] => [
  { text: 'Port of Elm, payroll', x: 72, y: 50 },
  { text: `Name: ${person(page)}`, x: 72, y: 90 },
  { text: `Gross: ${page + 21}00.50`, x: 72, y: 120 },
  { text: `Net: ${page + 14}00.25`, x: 72, y: 150 },
  { text: 'Keep this slip for your records', x: 72, y: 750 },
]

/** Certificates, invoices and slides: pages of one template. */
export const documents: MadeFile[] = [
  certificates(2),
  certificates(3),
  certificates(12),
  certificates(60),
  invoices(2, 8),
  invoices(3, 10),
  invoices(6, 8),
  invoices(24, 10),
  {
    name: 'invoices of many lines with a foot in small print',
    pages: count(6).map((page) => ({
      pieces: [
        ...lines(LETTERHEAD, { x: 72, y: 40 }, 14),
        { text: 'INVOICE', x: 72, y: 100, size: 14, font: 'Times-Bold' },
        { text: person(page), x: 72, y: 125 },
        ...lines(manyItems(page), { x: 72, y: 160 }, 22),
        { text: BANK, x: 72, y: 765, size: 8 },
      ],
    })),
    wanted: count(6).flatMap((page) => [person(page), ...manyItems(page)]),
    repeated: { ...Object.fromEntries(LETTERHEAD.map((line) => [line, 6])), INVOICE: 6, [BANK]: 6 },
  },
  {
    name: 'a deck of three slides with a foot',
    pages: slides(3, (page) => `The ${WORDS[page]} and the ${WORDS[page + 9]}`, conference),
    wanted: count(3).flatMap((page) => [`The ${WORDS[page]} and the ${WORDS[page + 9]}`, ...bullets(page)]),
    repeated: { 'Elm Harbour Conference': 3 },
  },
  {
    name: 'a deck of ten slides with a foot',
    pages: slides(10, (page) => `The ${WORDS[page]} and the ${WORDS[page + 9]}`, conference),
    wanted: count(10).flatMap((page) => [`The ${WORDS[page]} and the ${WORDS[page + 9]}`, ...bullets(page)]),
    gone: ['Elm Harbour Conference'],
  },
  {
    name: 'a deck whose slides have the title of their section',
    pages: slides(9, (page) => (page < 4 ? 'Plans for spring' : 'Plans for autumn')),
    wanted: count(9).flatMap(bullets),
    repeated: { 'Plans for spring': 4, 'Plans for autumn': 5 },
  },
  {
    name: 'a deck of slides with one line each',
    pages: count(8).map((page) => ({
      pieces: [
        { text: `Reason ${NUMBER_WORDS[page]}: ${WORDS[page]}`, x: 120, y: 380, size: 32 },
        { text: 'Elm Harbour', x: 60, y: 770, size: 12 },
      ],
    })),
    wanted: count(8).map((page) => `Reason ${NUMBER_WORDS[page]}: ${WORDS[page]}`),
  },
  {
    name: 'payslips',
    pages: count(7).map((page) => ({ pieces: payslip(page) })),
    wanted: count(7).flatMap((page) => [`Name: ${person(page)}`, `Gross: ${page + 21}00.50`, `Net: ${page + 14}00.25`]),
    repeated: { 'Port of Elm, payroll': 7, 'Keep this slip for your records': 7 },
  },
  {
    name: 'a letter of three pages with a head and page numbers',
    pages: count(3).map((page) => ({
      pieces: [
        { text: 'Port of Elm, harbour office', x: 72, y: 40, size: 9 },
        ...lines(
          count(20).map((line) => sentence(page * 100 + line, 9)),
          { x: 72, y: 90 },
          30,
        ),
        { text: `Page ${page + 1} of 3`, x: 280, y: 770, size: 9 },
      ],
    })),
    wanted: count(3).flatMap((page) => count(20).map((line) => sentence(page * 100 + line, 9))),
    repeated: { 'Port of Elm, harbour office': 3 },
  },
]
