/** Makes numbers with the check digits of their kind, by the published algorithms, independently of the rules that find them. */

/** A repeatable source of random numbers. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  of<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.between(0, 9)).join('')
  }

  /** Fills a form: `#` is a digit, `N` one from 2 to 9, `1-9` is `Z`, `@` an upper-case letter. */
  fill(form: string): string {
    return form.replace(/[#NZ@]/g, (place) =>
      place === '@'
        ? String.fromCharCode(65 + this.between(0, 25))
        : String(this.between(place === 'N' ? 2 : place === 'Z' ? 1 : 0, 9)),
    )
  }

  text(alphabet: string, count: number): string {
    return Array.from({ length: count }, () => alphabet[this.between(0, alphabet.length - 1)]).join('')
  }
}

const sum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)

export function luhnDigit(digits: string): string {
  let total = 0
  for (const [at, digit] of Array.from(digits).reverse().entries()) {
    const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit)
    total += doubled > 9 ? doubled - 9 : doubled
  }
  return String((10 - (total % 10)) % 10)
}

const mod97 = (text: string): number => Array.from(text).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)

const lettersToDigits = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => String((letter.codePointAt(0) ?? 0) - 55))

const IBAN_FORMS: Readonly<Record<string, string>> = {
  DE: '##################',
  AT: '################',
  CH: '#################',
  FR: '#####################Z#',
  IT: '@######################',
  ES: '####################',
  NL: '@@@@##########',
  BE: '############',
  GB: '@@@@##############',
  PL: '########################',
  PT: '#####################',
  SE: '####################',
  DK: '##############',
  NO: '###########',
  FI: '##############',
  IE: '@@@@##############',
  TR: '######################',
  CZ: '####################',
}

export function makeIban(dice: Dice): string {
  const country = dice.of(Object.keys(IBAN_FORMS))
  const account = dice.fill(IBAN_FORMS[country] ?? '')
  const check = 98 - mod97(lettersToDigits(`${account}${country}00`))
  const whole = `${country}${String(check).padStart(2, '0')}${account}`
  return dice.next() < 0.5 ? whole : (whole.match(/.{1,4}/g) ?? []).join(' ')
}

export function makeCard(dice: Dice): string {
  const [prefix, length] = dice.of([
    ['4', 16],
    ['4', 16],
    ['51', 16],
    ['54', 16],
    ['2221', 16],
    ['2690', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['65', 16],
    ['3528', 16],
    ['36', 14],
    ['6212', 16],
  ] as const)
  const body = prefix + dice.digits(length - prefix.length - 1)
  const whole = body + luhnDigit(body)
  const groups =
    length === 15 ? /^(.{4})(.{6})(.{5})$/ : length === 14 ? /^(.{4})(.{6})(.{4})$/ : /^(.{4})(.{4})(.{4})(.{4})$/
  const separator = dice.of(['', ' ', '-', ' '])
  return separator === '' ? whole : (groups.exec(whole)?.slice(1).join(separator) ?? whole)
}

const DATES = (dice: Dice) => {
  const year = dice.between(1940, 2004)
  return {
    year: String(year),
    yy: String(year % 100).padStart(2, '0'),
    mm: String(dice.between(1, 12)).padStart(2, '0'),
    dd: String(dice.between(1, 28)).padStart(2, '0'),
  }
}

const iso7064 = (digits: string): string => {
  let product = 10
  for (const digit of digits) {
    const part = (Number(digit) + product) % 10 || 10
    product = (part * 2) % 11
  }
  return String((11 - product) % 10)
}

/** A national number, with the country it is of, and what people call it there. */
export interface MadeNumber {
  readonly value: string
  readonly country: string
  readonly names: readonly string[]
}

const VERHOEFF_D = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const VERHOEFF_P = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]
const verhoeffDigit = (digits: string): string => {
  for (const check of '0123456789') {
    let state = 0
    for (const [at, digit] of Array.from(`${digits}${check}`).reverse().entries())
      state = Number(VERHOEFF_D[state]?.[Number(VERHOEFF_P[at % 8]?.[Number(digit)])])
    if (state === 0) return check
  }
  return '0'
}

const CF_ODD: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ').map((sign, at) => [
    sign,
    [
      1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10,
      22, 25, 24, 23,
    ][at] ?? 0,
  ]),
)

const makers: readonly ((dice: Dice) => MadeNumber | undefined)[] = [
  (dice) => ({
    value: dice.fill(`${dice.of(['2', '3', '4', '5'])}##-Z#-Z###`),
    country: 'US',
    names: ['SSN', 'Social Security number'],
  }),
  (dice) => {
    const body = dice.of(['AB', 'CE', 'JK', 'MW', 'SR', 'YZ']) + dice.digits(6) + dice.of(['A', 'B', 'C', 'D'])
    return {
      value: dice.next() < 0.5 ? body : body.replace(/^(..)(..)(..)(..)(.)$/, '$1 $2 $3 $4 $5'),
      country: 'GB',
      names: ['National Insurance number', 'NI number'],
    }
  },
  (dice) => {
    const body = dice.digits(9)
    const check = 11 - (sum(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
    if (check === 10) return undefined
    const whole = body + String(check % 11)
    return { value: whole.replace(/^(...)(...)(....)$/, '$1 $2 $3'), country: 'GB', names: ['NHS number'] }
  },
  (dice) => {
    // One digit of the ten twice, one not at all.
    const pool = Array.from('0123456789')
    for (let at = 9; at > 0; at -= 1) {
      const other = dice.between(0, at)
      ;[pool[at], pool[other]] = [pool[other] ?? '', pool[at] ?? '']
    }
    pool[9] = pool[dice.between(0, 7)] ?? '1'
    const body = pool.join('')
    if (body.startsWith('0')) return undefined
    const whole = body + iso7064(body)
    return {
      value: dice.next() < 0.5 ? whole : whole.replace(/^(..)(...)(...)(...)$/, '$1 $2 $3 $4'),
      country: 'DE',
      names: ['Steuer-ID', 'Steueridentifikationsnummer', 'IdNr.'],
    }
  },
  (dice) => {
    const { yy, mm } = DATES(dice)
    const body = `${dice.of(['1', '2'])}${yy}${mm}${dice.of(['75', '13', '69', '33', '59'])}${dice.digits(6)}`
    const key = String(97 - (mod97(body) % 97)).padStart(2, '0')
    return {
      value:
        dice.next() < 0.5 ? body + key : `${body.replace(/^(.)(..)(..)(..)(...)(...)$/, '$1 $2 $3 $4 $5 $6')} ${key}`,
      country: 'FR',
      names: ['Numéro de sécurité sociale', 'NIR', 'n° de sécurité sociale'],
    }
  },
  (dice) => {
    const { yy, dd } = DATES(dice)
    const body = `${dice.fill('@@@@@@')}${yy}${dice.of(Array.from('ABCDEHLMPRST'))}${dd}${dice.of(['H501', 'F205', 'L219', 'A944'])}`
    const total = Array.from(body).reduce((all, sign, at) => {
      if (at % 2 === 0) return all + (CF_ODD[sign] ?? 0)
      return all + (/\d/.test(sign) ? Number(sign) : (sign.codePointAt(0) ?? 0) - 65)
    }, 0)
    return { value: body + String.fromCharCode(65 + (total % 26)), country: 'IT', names: ['Codice fiscale', 'C.F.'] }
  },
  (dice) => {
    const isForeign = dice.next() < 0.3
    const lead = dice.between(0, 2)
    const body = isForeign ? `${'XYZ'[lead]}${dice.digits(7)}` : dice.digits(8)
    const number = Number(isForeign ? `${lead}${body.slice(1)}` : body)
    return {
      value: `${body}${dice.of(['', '-'])}${'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}`,
      country: 'ES',
      names: isForeign ? ['NIE'] : ['DNI', 'NIF'],
    }
  },
  (dice) => {
    const body = dice.digits(8)
    const check = sum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
    return check > 9 || body.startsWith('00')
      ? undefined
      : { value: body + String(check), country: 'NL', names: ['BSN', 'Burgerservicenummer'] }
  },
  (dice) => {
    const { yy, mm, dd, year } = DATES(dice)
    const body = `${yy}${mm}${dd}${dice.digits(3)}`
    const check = String(97 - (mod97(Number(year) >= 2000 ? `2${body}` : body) % 97)).padStart(2, '0')
    return {
      value: `${yy}.${mm}.${dd}-${body.slice(6)}.${check}`,
      country: 'BE',
      names: ['Rijksregisternummer', 'Numéro de registre national'],
    }
  },
  (dice) => {
    const { year, yy, mm, dd } = DATES(dice)
    const body = `${yy}${String(Number(mm) + (Number(year) >= 2000 ? 20 : 0)).padStart(2, '0')}${dd}${dice.digits(4)}`
    const check = (10 - (sum(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10
    return { value: body + String(check), country: 'PL', names: ['PESEL', 'numer PESEL'] }
  },
  (dice) => {
    const body = `${dice.of(['1', '2'])}${dice.digits(7)}`
    const rest = sum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
    return { value: body + String(rest < 2 ? 0 : 11 - rest), country: 'PT', names: ['NIF', 'Contribuinte'] }
  },
  (dice) => {
    const { year, yy, mm, dd } = DATES(dice)
    const body = `${yy}${mm}${dd}${dice.digits(3)}`
    return {
      value: `${dice.next() < 0.5 ? year : yy}${mm}${dd}-${body.slice(6)}${luhnDigit(body)}`,
      country: 'SE',
      names: ['Personnummer', 'Pnr'],
    }
  },
  (dice) => {
    const { year, yy, mm, dd } = DATES(dice)
    const serial = dice.digits(3)
    const check = '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(`${dd}${mm}${yy}${serial}`) % 31]
    return {
      value: `${dd}${mm}${yy}${Number(year) >= 2000 ? 'A' : '-'}${serial}${check}`,
      country: 'FI',
      names: ['Henkilötunnus', 'HETU'],
    }
  },
  (dice) => {
    const { yy, mm, dd } = DATES(dice)
    const body = `${dd}${mm}${yy}${dice.digits(3)}`
    const one = (11 - (sum(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11
    const two = (11 - (sum(`${body}${one}`, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
    if (one > 9 || two > 9) return undefined
    return {
      value: `${body}${one}${two}`.replace(/^(.{6})/, dice.of(['$1', '$1 '])),
      country: 'NO',
      names: ['Fødselsnummer', 'Personnummer'],
    }
  },
  (dice) => {
    const { yy, mm, dd } = DATES(dice)
    return { value: `${dd}${mm}${yy}-${dice.digits(4)}`, country: 'DK', names: ['CPR-nummer', 'CPR'] }
  },
  (dice) => {
    const body = `756${dice.digits(9)}`
    const check = (10 - (sum(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10
    return {
      value: `${body}${check}`.replace(/^(...)(....)(....)(..)$/, '$1.$2.$3.$4'),
      country: 'CH',
      names: ['AHV-Nummer', 'Numéro AVS'],
    }
  },
  (dice) => {
    const { yy, mm, dd } = DATES(dice)
    const serial = dice.fill('Z##')
    const check = sum(`${serial}${dd}${mm}${yy}`, [3, 7, 9, 5, 8, 4, 2, 1, 6]) % 11
    return check > 9
      ? undefined
      : { value: `${serial}${check} ${dd}${mm}${yy}`, country: 'AT', names: ['SVNR', 'Sozialversicherungsnummer'] }
  },
  (dice) => {
    const body = dice.digits(9)
    const one = ((sum(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10
    const two = ((sum(`${body}${one}`, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10
    const whole = `${body}${one}${two}`
    return {
      value: dice.next() < 0.7 ? whole.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : whole,
      country: 'BR',
      names: ['CPF'],
    }
  },
  (dice) => {
    const body = dice.fill('N##########')
    return {
      value: `${body}${verhoeffDigit(body)}`.replace(/^(....)(....)(....)$/, '$1 $2 $3'),
      country: 'IN',
      names: ['Aadhaar', 'Aadhaar number', 'आधार'],
    }
  },
  (dice) => ({ value: dice.fill('@@@P@####@'), country: 'IN', names: ['PAN', 'PAN card'] }),
  (dice) => {
    const { year, mm, dd } = DATES(dice)
    const body = `${dice.of(['110101', '310104', '440305', '330106'])}${year}${mm}${dd}${dice.digits(3)}`
    const check = '10X98765432'[sum(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11]
    return { value: `${body}${check}`, country: 'CN', names: ['身份证号', '居民身份证'] }
  },
  (dice) => {
    const body = dice.digits(11)
    const rest =
      Array.from(body)
        .reverse()
        .reduce((all, digit, at) => all + Number(digit) * (at < 6 ? at + 2 : at - 4), 0) % 11
    return { value: body + String(rest <= 1 ? 0 : 11 - rest), country: 'JP', names: ['マイナンバー', '個人番号'] }
  },
  (dice) => {
    const body = dice.fill('Z########')
    const odd = [0, 2, 4, 6, 8].reduce((all, at) => all + Number(body[at]), 0)
    const even = [1, 3, 5, 7].reduce((all, at) => all + Number(body[at]), 0)
    const ten = (((odd * 7 - even) % 10) + 10) % 10
    const eleven = (Array.from(body).reduce((all, digit) => all + Number(digit), 0) + ten) % 10
    return { value: `${body}${ten}${eleven}`, country: 'TR', names: ['TC Kimlik No', 'T.C. Kimlik'] }
  },
  (dice) => {
    const body = dice.fill('Z#######')
    for (const check of '0123456789')
      if (sum(`${body}${check}`, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0)
        return {
          value: `${body}${check}`.replace(/^(...)(...)(...)$/, '$1 $2 $3'),
          country: 'AU',
          names: ['TFN', 'Tax File Number'],
        }
    return undefined
  },
  (dice) => {
    const body = dice.fill('Z#######')
    return {
      value: `${body}${luhnDigit(body)}`.replace(/^(...)(...)(...)$/, dice.of(['$1-$2-$3', '$1 $2 $3'])),
      country: 'CA',
      names: ['SIN', 'Social Insurance Number'],
    }
  },
  (dice) => {
    const body = dice.fill('######')
    const number = Number(`1${body}`)
    let [rest, weight, total] = [number, 2, 0]
    while (rest > 0) {
      total += (rest % 10) * weight
      rest = Math.floor(rest / 10)
      weight = weight === 7 ? 2 : weight + 1
    }
    const check = '0123456789K'[(11 - (total % 11)) % 11]
    return { value: `${number}`.replace(/^(.)(...)(...)$/, '$1.$2.$3') + `-${check}`, country: 'CL', names: ['RUT'] }
  },
]

export function makeNationalNumber(dice: Dice): MadeNumber {
  for (;;) {
    const made = dice.of(makers)(dice)
    if (made) return made
  }
}
