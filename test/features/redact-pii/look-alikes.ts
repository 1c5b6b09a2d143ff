import { type Dice, luhnDigit } from './made-numbers.js'

const HEX = '0123456789abcdef'

const withBadCheck = (digits: string): string => digits + String((Number(luhnDigit(digits)) + 3) % 10)

/** Look-alikes: what ordinary pages have, and nobody wants redacted. */
const LOOK_ALIKES: readonly ((dice: Dice) => string)[] = [
  (dice) => `ISBN ${dice.fill('978-3-16-######-#')} and ${dice.fill('978##########')}`,
  (dice) => `ISBN-10: ${dice.fill('3-########-X')}, ISSN ${dice.fill('####-####')}`,
  (dice) => `Order no. ${dice.fill('###-#######-#######')} was sent.`,
  (dice) => `Bestellnummer: ${dice.fill('##########')}, Kundennr. ${dice.fill('########')}`,
  (dice) => `Invoice #${dice.fill('2024-######')} of order ${dice.fill('#############')}`,
  (dice) => `Order ${withBadCheck(`4${dice.digits(14)}`)} is late`,
  (dice) => `Version ${dice.fill('1Z.#.####.##')}, build ${dice.fill('20######')}`,
  (dice) => `react@${dice.fill('Z#.#.#')} and @scope/pkg@${dice.fill('#.#.#')}`,
  (dice) => `Chrome/${dice.fill('1##.0.####.##')} Safari/537.36 (Windows NT 10.0)`,
  (dice) => `${dice.fill('52.######')}, ${dice.fill('13.######')}`,
  (dice) => `GPS: N ${dice.fill('48° 51.### E 2° 21.###')}, ${dice.fill('-33.#######')} ${dice.fill('151.#######')}`,
  (dice) =>
    `On ${dice.between(2001, 2026)}-0${dice.between(1, 9)}-${dice.between(10, 28)} 12:${dice.between(10, 59)}:${dice.between(10, 59)}`,
  (dice) =>
    `${dice.between(10, 28)}.0${dice.between(1, 9)}.${dice.between(1990, 2026)} – ${dice.between(10, 28)}.11.2026`,
  (dice) =>
    `From ${dice.between(10, 28)}/1${dice.between(0, 2)}/${dice.between(1990, 2026)} to 01/02/2027, ${dice.between(1900, 1990)}-${dice.between(1991, 2026)}`,
  (dice) => `sha256 ${dice.text(HEX, 64)}`,
  (dice) => `commit ${dice.text(HEX, 40)} (md5 ${dice.text(HEX, 32)})`,
  (dice) =>
    `id ${dice.text(HEX, 8)}-${dice.text(HEX, 4)}-4${dice.text(HEX, 3)}-a${dice.text(HEX, 3)}-${dice.text(HEX, 12)}`,
  (dice) => `Price: ${dice.fill('Z.###.###,##')} €, was $${dice.fill('Z,###,###.##')}`,
  (dice) => `${dice.fill('Z## ### ###')} inhabitants, ${dice.fill('Z ### ###')} km²`,
  (dice) => `doi:10.${dice.fill('####')}/${dice.fill('s#####-###-#####-#')}`,
  (dice) => `https://doi.org/10.${dice.fill('####')}/j.${dice.text('abcdefgh', 4)}.${dice.fill('2021.######')}`,
  (dice) => `π = 3.14159265358979${dice.fill('###')}, e = 2.71828 18284 59045`,
  (dice) =>
    `x = (${dice.between(100, 999)} - ${dice.between(100, 999)}) / ${dice.between(1000, 9999)} + ${dice.between(10, 99)}`,
  (dice) => `${dice.between(100, 999)} + ${dice.between(100, 999)} = ${dice.between(1000, 9999)}`,
  (dice) => `| ${Array.from({ length: 6 }, () => dice.between(10, 9999)).join(' | ')} |`,
  (dice) => Array.from({ length: 8 }, () => dice.between(1, 99)).join(' '),
  (dice) => `![logo@2x.png](https://cdn.example.com/img/${dice.fill('########')}/logo@2x.png)`,
  (dice) => `https://example.com/news/article-${dice.fill('##########')}.html?id=${dice.fill('############')}`,
  (dice) => `https://x.example/status/${dice.fill('1##################')}`,
  (dice) => `EAN ${dice.fill('4#############').slice(0, 13)}, Art.-Nr. ${dice.fill('###.###.##')}`,
  (dice) => `timestamp ${dice.fill('17########')} or ${dice.fill('17###########')} ms`,
  (dice) => `Tracking: ${dice.fill('1Z###@##########')} / ${dice.fill('################')}`,
  (dice) =>
    `RFC ${dice.fill('####')}, section ${dice.between(1, 9)}.${dice.between(1, 9)}.${dice.between(1, 9)}.${dice.between(1, 9)}`,
  (dice) => `arXiv:${dice.fill('2###.#####')}, PMID ${dice.fill('########')}`,
  (dice) => `#${dice.text(HEX, 6)} rgb(${dice.between(0, 255)}, ${dice.between(0, 255)}, ${dice.between(0, 255)})`,
  (dice) => `Model ${dice.fill('@@-####-##')}, part ${dice.fill('###-######')}`,
  (dice) =>
    `pp. ${dice.between(100, 999)}–${dice.between(1000, 1999)}, vol. ${dice.between(10, 99)} (${dice.between(1, 12)}), ${dice.between(1990, 2025)}`,
  (dice) =>
    `${dice.between(1, 99)}:${dice.between(10, 59)}:${dice.between(10, 59)},${dice.digits(3)} --> 00:0${dice.between(1, 9)}:1${dice.between(0, 9)},${dice.digits(3)}`,
  (dice) => `netmask 255.255.${dice.of([0, 128, 255])}.0 on 127.0.0.1, bind 0.0.0.0:${dice.between(3000, 9000)}`,
  (dice) => `std::vector<int>::size() and a::b, MAC ${Array.from({ length: 6 }, () => dice.text(HEX, 2)).join(':')}`,
  (dice) => `git@github.com:owner/repo-${dice.digits(3)}.git`,
  (dice) =>
    `@user_${dice.digits(4)} followed @berlin${dice.digits(2)} — @media (min-width: ${dice.between(100, 999)}px)`,
  (dice) =>
    `Score ${dice.between(0, 9)}-${dice.between(0, 9)}, record ${dice.between(10, 99)}-${dice.between(10, 99)}-${dice.between(10, 99)}`,
  (dice) => `ZIP ${dice.fill('#####-####')}, population ${dice.fill('Z##,###')}`,
  (dice) => `The ${dice.between(1, 9)} Main Street shops, 10115 people and ${dice.between(2, 40)} streets`,
  (dice) => `Patent US ${dice.fill('Z#,###,###')} B2; case ${dice.fill('#:##-cv-#####')}`,
  (dice) => `Lot ${dice.fill('##/####-###')}; serial ${dice.fill('@@##########')}; SKU ${dice.fill('######-###')}`,
  (dice) =>
    `Flight LH${dice.between(100, 999)} at ${dice.between(10, 23)}.${dice.between(10, 59)}, gate ${dice.between(1, 90)}, seat 12A`,
  (dice) =>
    `${dice.fill('Z###')} × ${dice.fill('Z###')} px, ${dice.fill('##')}–${dice.fill('##')} °C, 4.${dice.fill('#')}/5 (${dice.fill('Z,###')} reviews)`,
  (dice) => `uuid=${dice.text(HEX, 32)}&ts=${dice.fill('17###########')}&v=${dice.fill('#.##.#')}`,
]

/** Makes a text without personal values: of 2,000 of them none may be changed. */
export const makeLookAlike = (dice: Dice, index: number): string =>
  (LOOK_ALIKES[index % LOOK_ALIKES.length] as (dice: Dice) => string)(dice)
