import { lines, type Piece } from './make-pdf.js'
import { body, count, type MadeFile, NAMES, NUMBER_WORDS, sentence, spell, WORDS } from './made-text.js'

/** Files whose pages are filled in from one template. */
export const templates: MadeFile[] = [
  {
    name: 'three certificates',
    pages: NAMES.slice(0, 3).map((person) => ({
      pieces: [
        { text: 'Certificate of attendance', x: 190, y: 120, size: 20 },
        { text: person, x: 250, y: 200, size: 14 },
      ],
    })),
    wanted: NAMES.slice(0, 3),
    repeated: { 'Certificate of attendance': 3 },
  },
  {
    name: 'twelve long certificates',
    pages: count(12).map((page) => ({
      pieces: [
        { text: 'The Harbour School', x: 230, y: 60 },
        { text: 'certifies that', x: 260, y: 140 },
        { text: `${NAMES[page % 8]} of class ${NUMBER_WORDS[page]}`, x: 240, y: 180, size: 12 },
        { text: 'has learnt to tie knots', x: 230, y: 220 },
        { text: 'Head of the school', x: 72, y: 720 },
      ],
    })),
    wanted: count(12).map((page) => `${NAMES[page % 8]} of class ${NUMBER_WORDS[page]}`),
    repeated: { 'The Harbour School': 12, 'Head of the school': 12 },
  },
  {
    name: 'tickets with numbers',
    pages: count(6).map((page) => ({
      pieces: [
        { text: 'Harbour Festival', x: 72, y: 60 },
        { text: `Ticket No. 00${page + 41}, row ${NUMBER_WORDS[page]}`, x: 72, y: 120 },
        { text: 'No refunds', x: 72, y: 740 },
      ],
    })),
    wanted: count(6).map((page) => `Ticket No. 00${page + 41}, row ${NUMBER_WORDS[page]}`),
    repeated: { 'Harbour Festival': 6, 'No refunds': 6 },
  },
  {
    name: 'a receipt and its copy',
    pages: count(2).map(() => ({
      pieces: [
        { text: 'Harbour Cafe', x: 72, y: 60 },
        { text: 'Coffee 3.50', x: 72, y: 100 },
        { text: 'Total 3.50', x: 72, y: 740 },
      ],
    })),
    wanted: [],
    repeated: { 'Harbour Cafe': 2, 'Coffee 3.50': 2, 'Total 3.50': 2 },
  },
  {
    name: 'invoices of one line',
    pages: count(4).map((page) => ({ pieces: [{ text: `Invoice number: 2025-00${page + 1}`, x: 72, y: 60 }] })),
    wanted: count(4).map((page) => `Invoice number: 2025-00${page + 1}`),
  },
  {
    name: 'invoices',
    pages: count(5).map((page) => ({
      pieces: [
        { text: 'INVOICE', x: 72, y: 60, size: 18 },
        { text: `Invoice number: 2025-00${page + 1}`, x: 72, y: 90 },
        { text: `To: ${NAMES[page]}`, x: 72, y: 120 },
        ...lines(
          count(6).map((line) => `Lamp ${spell(page * 10 + line)} at ${(page + 3) * (line + 2)}.00 crowns`),
          { x: 72, y: 200 },
          18,
        ),
        { text: `Amount due: ${page + 5}00.00`, x: 72, y: 700 },
        { text: 'Please pay within two weeks', x: 72, y: 740 },
      ],
    })),
    wanted: count(5).flatMap((page) => [
      `Invoice number: 2025-00${page + 1}`,
      `To: ${NAMES[page]}`,
      `Amount due: ${page + 5}00.00`,
    ]),
    repeated: { INVOICE: 5, 'Please pay within two weeks': 5 },
  },
  {
    name: 'statements of one account',
    pages: count(4).map((page) => ({
      pieces: [
        ...lines(['Harbour Bank', `Statement ${page + 1}/2025`, 'Account 123 456 789'], { x: 72, y: 50 }, 14),
        ...lines(
          count(25).map((line) => sentence(page * 100 + line, 6)),
          { x: 72, y: 140 },
          20,
        ),
      ],
    })),
    wanted: count(4).flatMap((page) => [
      `Statement ${page + 1}/2025`,
      ...count(25).map((line) => sentence(page * 100 + line, 6)),
    ]),
    repeated: { 'Harbour Bank': 4, 'Account 123 456 789': 4 },
  },
  {
    name: 'a form filled in by several',
    pages: count(4).map((page) => ({
      pieces: [
        { text: 'Registration for the regatta', x: 72, y: 60, size: 12 },
        { text: `Name: ${NAMES[page]}`, x: 72, y: 100 },
        { text: `Boat: ${WORDS[page]}`, x: 72, y: 130 },
        { text: 'I have read the rules of the harbour', x: 72, y: 160 },
        { text: 'I agree to the terms', x: 72, y: 740 },
      ],
    })),
    wanted: count(4).flatMap((page) => [`Name: ${NAMES[page]}`, `Boat: ${WORDS[page]}`]),
    repeated: { 'Registration for the regatta': 4, 'I agree to the terms': 4 },
  },
  {
    name: 'a sheet of questions for each class',
    pages: count(4).map((page) => ({
      pieces: [
        { text: 'True or false?', x: 72, y: 60 },
        ...lines(
          count(8).map((line) => sentence(page * 100 + line, 6)),
          { x: 72, y: 110 },
          30,
        ),
      ],
    })),
    wanted: count(4).flatMap((page) => count(8).map((line) => sentence(page * 100 + line, 6))),
    repeated: { 'True or false?': 4 },
  },
]

/** Files whose pages begin with a heading that counts. */
const headed = (name: string, word: string, size: number, font: Piece['font'], first = 1): MadeFile => {
  const made = count(6).map((page) => body(page, 14, { y: 130 }))
  const heading = (page: number): string => `${word} ${page + first}`
  return {
    name,
    pages: made.map(({ pieces }, page) => ({
      pieces: [{ text: heading(page), x: 72, y: 70, size, ...(font && { font }) }, ...pieces],
    })),
    wanted: made.flatMap(({ wanted }, page) => [heading(page), ...wanted]),
  }
}

/** Files whose pages begin with headings and titles. */
export const headings: MadeFile[] = [
  headed('lessons', 'Lesson', 24, undefined),
  headed('chapters', 'Chapter', 14, 'Times-Bold'),
  headed('years', 'Year', 16, 'Times-Bold', 2001),
  headed('articles of a contract', 'Article', 10, 'Times-Bold'),
  headed('questions in the size of the text', 'Question', 10, undefined),
  (() => {
    const made = count(6).map((page) => body(page, 4, { y: 160, size: 16 }))
    return {
      name: 'slides with one title',
      pages: made.map(({ pieces }) => ({
        pieces: [
          { text: 'Agenda', x: 72, y: 90, size: 28 },
          ...pieces,
          { text: 'Harbour Conference', x: 72, y: 770, size: 9 },
        ],
      })),
      wanted: made.flatMap(({ wanted }) => wanted),
      repeated: { Agenda: 6 },
    }
  })(),
  (() => {
    const made = count(12).map((page) => body(page, 12, { y: 130 }))
    return {
      name: 'recipes, each with its name',
      pages: made.map(({ pieces }, page) => ({
        pieces: [{ text: `Soup of ${WORDS[page]} and ${WORDS[page + 9]}`, x: 72, y: 70 }, ...pieces],
      })),
      wanted: made.flatMap(({ wanted }, page) => [`Soup of ${WORDS[page]} and ${WORDS[page + 9]}`, ...wanted]),
    }
  })(),
  (() => {
    const made = count(5).map((page) => body(page, 10, { y: 130 }))
    return {
      name: 'letters to several people',
      pages: made.map(({ pieces }, page) => ({
        pieces: [
          { text: `Dear ${NAMES[page]},`, x: 72, y: 70 },
          ...pieces,
          { text: 'Yours sincerely, the keeper', x: 72, y: 740 },
        ],
      })),
      wanted: made.flatMap(({ wanted }, page) => [`Dear ${NAMES[page]},`, ...wanted]),
    }
  })(),
]
