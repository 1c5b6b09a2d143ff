import { type Dice, makeCard, makeIban, makeNationalNumber } from './made-numbers.js'

/** A text with one value in it. */
export interface MadeText {
  readonly text: string
  /** The value as it stands in the text. */
  readonly value: string
  readonly kind: string
}

/** Telephone numbers as people of the country write them: at home, and for abroad. `#`, `N`, `Z` as in {@link Dice.fill}. */
const PHONES: Readonly<Record<string, { readonly home: readonly string[]; readonly abroad: readonly string[] }>> = {
  US: {
    home: ['(212) NN#-####', '415-NN#-####', '617.NN#.####', '1-800-NN#-####'],
    abroad: ['+1 (305) NN#-####', '+1 312 NN# ####', '+1-650-NN#-####', '+1206NN#####'],
  },
  CA: { home: ['(416) NN#-####', '604-NN#-####'], abroad: ['+1 514 NN#-####'] },
  GB: {
    home: ['020 7### ####', '07### ######', '(0161) ### ####', '01223 ######'],
    abroad: ['+44 20 7### ####', '+44 (0)161 ### ####', '+447#########'],
  },
  IE: { home: ['01 ### ####', '087 ### ####'], abroad: ['+353 1 ### ####', '+353 86 ### ####'] },
  DE: {
    home: ['030 / Z######', '089 Z#######', '0170 Z######', '(0221) Z##### - ##', '0211-Z######', '030/Z## ## ##'],
    abroad: ['+49 30 Z#######', '+49 (0) 89 Z######', '0049 40 Z######', '+49-171-Z######', '+4915#########'],
  },
  AT: { home: ['01 / Z## ## ##', '0664 Z######'], abroad: ['+43 1 Z######', '+43 (0)662 Z#####'] },
  CH: {
    home: ['044 Z## ## ##', '079 Z## ## ##', '022/Z## ## ##'],
    abroad: ['+41 44 Z## ## ##', '+41 (0)79 Z## ## ##', '+4131Z######'],
  },
  FR: {
    home: ['01 ## ## ## ##', '06.##.##.##.##', '04-##-##-##-##', '07########'],
    abroad: ['+33 1 ## ## ## ##', '+33 (0)6 ## ## ## ##', '0033 4 ## ## ## ##'],
  },
  BE: { home: ['02 Z## ## ##', '0475 ## ## ##', '03/Z##.##.##'], abroad: ['+32 2 Z## ## ##', '+32 (0)475 ## ## ##'] },
  NL: { home: ['020 Z######', '06-Z#######', '(010) Z## ## ##'], abroad: ['+31 20 Z## ####', '+31 (0)6 Z#######'] },
  IT: {
    home: ['06 Z######', '02-Z#######', '347 Z######'],
    abroad: ['+39 06 Z#######', '+39 347 Z## ####', '+39 02 Z######'],
  },
  ES: {
    home: ['91 Z## ## ##', '612 ### ###', '93 Z## ## ##'],
    abroad: ['+34 91 Z## ## ##', '+34 612 ### ###', '+34 6########'],
  },
  PT: { home: ['21 Z## ## ##', '912 ### ###'], abroad: ['+351 21 Z## ####', '+351 912 ### ###'] },
  PL: { home: ['22 Z## ## ##', '601 ### ###', '(12) Z## ## ##'], abroad: ['+48 22 Z## ## ##', '+48 601 ### ###'] },
  CZ: { home: ['224 ### ###', '602 ### ###'], abroad: ['+420 224 ### ###', '+420602######'] },
  SE: { home: ['08-Z## ## ##', '070-Z## ## ##', '031-Z## ## ##'], abroad: ['+46 8 Z## ## ##', '+46 (0)70 Z## ## ##'] },
  DK: { home: ['33 ## ## ##', '20 ## ## ##'], abroad: ['+45 33 ## ## ##', '+45 20######'] },
  NO: { home: ['22 ## ## ##', '912 ## ###'], abroad: ['+47 22 ## ## ##', '+47 912 ## ###'] },
  FI: { home: ['09 Z## ####', '040 Z## ####', '050-Z######'], abroad: ['+358 9 Z## ####', '+358 40 Z######'] },
  BR: {
    home: ['(11) 9####-####', '(21) 3###-####', '11 9####-####'],
    abroad: ['+55 11 9####-####', '+55 (21) 3###-####'],
  },
  IN: {
    home: ['098## ######', '98#######0', '022 2### ####'],
    abroad: ['+91 98### #####', '+91-22-2### ####', '+9198########'],
  },
  JP: {
    home: ['03-3###-####', '090-####-####', '06-6###-####', '0120-###-###'],
    abroad: ['+81 3-3###-####', '+81-90-####-####'],
  },
  AU: {
    home: ['(02) 9### ####', '0412 ### ###', '03 9### ####', '1300 ### ###'],
    abroad: ['+61 2 9### ####', '+61 412 ### ###'],
  },
  MX: { home: ['55 N### ####', '(33) N### ####'], abroad: ['+52 55 N### ####', '+52 1 33 N### ####'] },
  TR: { home: ['0212 Z## ## ##', '0532 Z## ## ##'], abroad: ['+90 212 Z## ## ##', '+90 (532) Z## ## ##'] },
  CN: { home: ['138 #### ####', '010-6### ####'], abroad: ['+86 138 #### ####', '+86 10 6### ####'] },
  ZA: { home: ['011 Z## ####', '082 Z## ####'], abroad: ['+27 11 Z## ####', '+27 82 Z## ####'] },
}

/** Sentences by language; `%` is the value. Those of phones say that it is one, as pages do. */
const PHONE_WORDS = [
  'Call us at %.',
  'Phone: %',
  'Tel. %',
  'Tel: %',
  'Ring % between 9 and 5.',
  'Mobile % (Anna)',
  'Fax: %',
  'WhatsApp: %',
  'For questions dial % and ask for Jo.',
  'Rufen Sie uns an: %',
  'Telefon: %',
  'Sie erreichen uns telefonisch unter %.',
  'Handy %',
  'Mobil: %, werktags',
  'Rückfragen unter Tel. %',
  'Appelez-nous au %.',
  'Téléphone : %',
  'Tél. %',
  'Portable : %',
  'Teléfono: %',
  'Llámenos al %.',
  'Móvil: %',
  'Telefono: %',
  'Cellulare: %',
  'Chiamaci al %.',
  'Telefoon: %',
  'Bel ons op %.',
  'Telefone: %',
  'Ligue para %.',
  'Telefon %, Mobil',
  'Ring oss på %.',
  'Puhelin: %',
  'Zadzwoń: %',
  'tel. kom. %',
  'Telefonní číslo: %',
  '電話: %',
  '电话：%',
  'Telefon: %. Kontakt',
  'फ़ोन: %',
  'ТЕЛ.: %',
  '☎ %',
  '📞 %',
]
const MAIL_WORDS = [
  'Write to % today.',
  'E-mail: %',
  'Contact: %.',
  '(%)',
  'Schreiben Sie an %, wir antworten.',
  'Anfragen an: %',
  'Écrivez à %.',
  'Courriel : %',
  'Escriba a %.',
  'Scrivici a % oggi.',
  'Mail naar %.',
  'Napisz na %',
  'Skriv till %.',
  'Envie para %;',
  'メール：%まで',
  '邮箱：%。',
  'Anna Berg <%>',
  '%',
  '- %',
  '"%"',
  '%, or by post',
]
const IBAN_WORDS = [
  'IBAN: %',
  'Bankverbindung: %',
  'Please transfer to %.',
  'Virement sur le compte %',
  'Konto %, BIC COBADEFFXXX',
  'Cuenta: %',
  'IBAN % bei der Bank',
  'Rekeningnummer %',
  'Nr konta: %',
  '%',
]
const CARD_WORDS = [
  'Card %, exp. 12/27',
  'Paid with %.',
  'Kreditkarte: %',
  'Carte bancaire : %',
  'Tarjeta %',
  'Carta di credito %',
  'Visa %',
  'Card number: %',
  'Kartennummer %',
  '%',
]
const KEY_WORDS = [
  'export TOKEN=%',
  'Authorization: Bearer %',
  'key: "%"',
  'Use % in the header.',
  'token=%',
  '`%`',
  'const secret = "%"',
  'API-Schlüssel: %',
]
const IP_WORDS = [
  'Last login from %.',
  'Client: %',
  'Angemeldet von % am Montag.',
  'Adresse IP : %',
  '% - - [10/Oct/2025:13:55:36]',
  'Your IP is %',
  'Host % did not answer',
]
const NUMBER_WORDS = ['&: %', '& %', '&: %.', 'His & is %, she says.', '& : %', '(& %)']
const ADDRESS_WORDS = [
  'Address: %',
  'Anschrift: %',
  'Visit us: %',
  'Adresse : %',
  '%',
  'Dirección: %',
  'Indirizzo: %',
  'Wohnhaft: %.',
]

const FIRST = [
  'anna',
  'joão',
  'max.muster',
  'j.smith',
  'maria-luisa',
  'info',
  'o_brien',
  'p.van.dijk',
  'kontakt',
  'sales+eu',
  'björn',
  'x9',
  'Li.Wei',
  'support',
  "d'amico",
]
const DOMAINS = [
  'example.com',
  'mail.example.org',
  'beispiel.de',
  'exemple.fr',
  'ejemplo.es',
  'firma-nord.at',
  'uni.example.ac.uk',
  'esempio.it',
  'voorbeeld.nl',
  'przyklad.pl',
  'exempel.se',
  'shop.example.co.jp',
  'münchen.example',
  'exemplo.com.br',
  'studio.design',
  'team.dev',
  'office.museum',
]

const STREETS = [
  (dice: Dice) =>
    `${dice.of(['Hauptstraße', 'Lindenweg', 'Goethestr.', 'Am Markt', 'Schillerplatz', 'Berliner Allee'])} ${dice.between(1, 199)}${dice.of(['', 'a', ' b'])}, ${dice.fill('Z####')} ${dice.of(['Berlin', 'Köln', 'Bad Homburg', 'München'])}`,
  (dice: Dice) =>
    `${dice.of(['Mariahilfer Straße', 'Ringgasse', 'Bahnhofstrasse'])} ${dice.between(1, 99)}, ${dice.of(['A-', 'CH-', ''])}${dice.fill('Z###')} ${dice.of(['Wien', 'Zürich', 'Graz'])}`,
  (dice: Dice) =>
    `${dice.between(1, 9999)} ${dice.of(['Main Street', 'Oak Ave', 'N. Elm St.', 'Sunset Boulevard', 'Washington Rd'])}${dice.of(['', ', Suite 200', ', Apt 4B'])}, ${dice.of(['Springfield', 'San Jose', 'New York'])}, ${dice.of(['IL', 'CA', 'NY', 'TX'])} ${dice.fill('#####')}`,
  (dice: Dice) =>
    `${dice.between(1, 250)} ${dice.of(['High Street', 'Church Road', 'Baker Street', 'Mill Lane'])}, ${dice.of(['London', 'Leeds', 'Bath'])} ${dice.of(['SW1A 1AA', 'LS1 4DY', 'BA2 3QB', 'EC1V 9HX'])}`,
  (dice: Dice) =>
    `${dice.between(1, 250)}${dice.of([',', ' bis', ''])} ${dice.of(['rue de la Paix', 'avenue Victor Hugo', 'boulevard Voltaire', 'place du Marché'])}, ${dice.fill('Z####')} ${dice.of(['Paris', 'Lyon', 'Saint-Denis'])}`,
  (dice: Dice) =>
    `${dice.of(['Calle Mayor', 'C/ Alcalá', 'Avda. de América', 'Plaza de España'])}, ${dice.between(1, 250)}, ${dice.fill('28###')} ${dice.of(['Madrid', 'Alcorcón'])}`,
  (dice: Dice) =>
    `${dice.of(['Via Roma', 'Viale Monza', 'Corso Vittorio Emanuele', 'Piazza Duomo'])}${dice.of([',', ''])} ${dice.between(1, 250)}, ${dice.fill('201##')} ${dice.of(['Milano', 'Roma'])}`,
  (dice: Dice) =>
    `${dice.of(['Dorpsstraat', 'Keizersgracht', 'Stationsweg', 'Beatrixlaan'])} ${dice.between(1, 250)}, ${dice.fill('Z###')} ${dice.of(['AB', 'XK', 'GR'])} ${dice.of(['Amsterdam', 'Utrecht'])}`,
  (dice: Dice) =>
    `ul. ${dice.of(['Marszałkowska', 'Długa', 'Jana Pawła II'])} ${dice.between(1, 120)}/${dice.between(1, 60)}, ${dice.fill('##-###')} ${dice.of(['Warszawa', 'Kraków'])}`,
  (dice: Dice) =>
    `Rua ${dice.of(['Augusta', 'das Flores', 'de São Bento'])}, ${dice.between(1, 900)}, ${dice.fill('####-###')} ${dice.of(['Lisboa', 'Porto'])}`,
  (dice: Dice) =>
    `${dice.of(['Storgatan', 'Drottninggatan', 'Sveavägen'])} ${dice.between(1, 120)}, ${dice.fill('1## ##')} ${dice.of(['Stockholm', 'Uppsala'])}`,
]

const HEX = '0123456789abcdef'
const B62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a part of a prefix: no scanner of repositories is to take this file for a leak. */
const part = (text: string): string => text

const KEYS: readonly ((dice: Dice) => string)[] = [
  (dice) => `${part('AK')}${part('IA')}${dice.text(UPPER, 16)}`,
  (dice) => `${part('gh')}${dice.of(['p', 'o', 's'])}_${dice.text(B62, 36)}`,
  (dice) => `${part('github')}_pat_${dice.text(B62, 22)}_${dice.text(B62, 59)}`,
  (dice) => `${part('gl')}pat-${dice.text(B62, 20)}`,
  (dice) => `${part('xo')}xb-${dice.digits(12)}-${dice.digits(12)}-${dice.text(B62, 24)}`,
  (dice) => `${part('sk')}_live_${dice.text(B62, 24)}`,
  (dice) => `${part('AI')}za${dice.text(B62, 35)}`,
  (dice) => `${part('sk')}-proj-${dice.text(B62, 48)}`,
  (dice) => `${part('sk')}-ant-api03-${dice.text(B62, 80)}`,
  (dice) => `${part('hf')}_${dice.text(B62, 34)}`,
  (dice) => `${part('np')}m_${dice.text(B62, 36)}`,
  (dice) => `${part('SG')}.${dice.text(B62, 22)}.${dice.text(B62, 43)}`,
  (dice) => `${dice.digits(10)}:${part('AA')}${dice.text(B62, 33)}`,
  (dice) => `${part('sh')}pat_${dice.text(HEX, 32)}`,
  (dice) => `${part('do')}p_v1_${dice.text(HEX, 64)}`,
  (dice) => [`${part('ey')}JhbGciOiJIUzI1NiJ9`, `${part('ey')}J${dice.text(B62, 60)}`, dice.text(B62, 43)].join('.'),
]

const header = (word: string) =>
  `| Name | ${word.replace(/[:%.：]/g, '').trim() || 'Value'} |\n| --- | --- |\n| Anna Berg | % |\n| Jo Tan | – |`

function makeMail(dice: Dice): MadeText {
  const value = `${dice.of(FIRST)}${dice.of(['', '', '.2', '7'])}@${dice.of(DOMAINS)}`
  const how = dice.next()
  const plain = value.replace(/[^\w.@+-]/g, 'e')
  if (how < 0.1) return { text: `[Write](mailto:${plain}?subject=Hi)`, value: plain, kind: 'EMAIL' }
  if (how < 0.2) {
    const coded = encodeURIComponent(plain)
    return { text: `[Unsubscribe](https://news.example.net/u?id=77&email=${coded}&s=1)`, value: coded, kind: 'EMAIL' }
  }
  if (how < 0.3) return { text: header('E-Mail').replace('%', () => value), value, kind: 'EMAIL' }
  if (how < 0.35) {
    const escaped = value.replaceAll('_', String.raw`\_`)
    return { text: `Mail ${escaped} now`, value: escaped, kind: 'EMAIL' }
  }
  if (how < 0.4) {
    const spelt = plain.replace('@', dice.of([' [at] ', ' (at) ', '(at)', ' {at} ']))
    return { text: `Kontakt: ${spelt} gern`, value: spelt, kind: 'EMAIL' }
  }
  return { text: dice.of(MAIL_WORDS).replace('%', () => value), value, kind: 'EMAIL' }
}

function makePhone(dice: Dice): MadeText {
  const { home, abroad } = dice.of(Object.values(PHONES))
  const isAbroad = dice.next() < 0.5
  const value = dice.fill(dice.of(isAbroad ? abroad : home))
  const how = dice.next()
  if (how < 0.08) {
    const digits = value.replace(/\(0\)|[^\d+]/g, '')
    return { text: `[Call](tel:${digits})`, value: digits, kind: 'PHONE' }
  }
  if (how < 0.2)
    return {
      text: header(dice.of(['Phone', 'Telefon', 'Téléphone', 'Tel.'])).replace('%', () => value),
      value,
      kind: 'PHONE',
    }
  if (isAbroad && how < 0.3) return { text: `Anna Berg, ${value}, Berlin`, value, kind: 'PHONE' }
  return { text: dice.of(PHONE_WORDS).replace('%', () => value), value, kind: 'PHONE' }
}

const inWords = (dice: Dice, words: readonly string[], value: string, kind: string, column: string): MadeText => ({
  text: (dice.next() < 0.12 ? header(column) : dice.of(words)).replace('%', () => value),
  value,
  kind,
})

function makeIp(dice: Dice): string {
  if (dice.next() < 0.3)
    return `2001:db8:${[1, 2, 3, 4].map(() => dice.text(HEX, 4).replace(/^0+(?=.)/, '')).join(':')}${dice.of([`::${dice.between(1, 9)}`, `:${dice.text(HEX, 3)}:${dice.text(HEX, 2)}`])}`
  return [
    dice.of([23, 45, 62, 78, 84, 91, 103, 145, 185, 203, 212]),
    dice.between(0, 255),
    dice.between(0, 255),
    dice.between(1, 254),
  ].join('.')
}

/** Makes a text with one personal value: 5,000 of them are the bar. */
export function makeText(dice: Dice): MadeText {
  const kind = dice.next()
  if (kind < 0.28) return makeMail(dice)
  if (kind < 0.56) return makePhone(dice)
  if (kind < 0.64) return inWords(dice, IBAN_WORDS, makeIban(dice), 'FINANCIAL', 'IBAN')
  if (kind < 0.72) return inWords(dice, CARD_WORDS, makeCard(dice), 'FINANCIAL', 'Card')
  if (kind < 0.8) {
    const value = dice.of(KEYS)(dice)
    return inWords(dice, KEY_WORDS, value, 'SECRET', 'Key')
  }
  if (kind < 0.9) {
    const { value, names } = makeNationalNumber(dice)
    const name = dice.of(names)
    const words = NUMBER_WORDS.map((word) => word.replace('&', () => name))
    return inWords(dice, words, value, 'NUMBER', name)
  }
  if (kind < 0.95) return inWords(dice, IP_WORDS, makeIp(dice), 'LOCATION', 'IP')
  return inWords(dice, ADDRESS_WORDS, dice.of(STREETS)(dice), 'LOCATION', 'Address')
}
