import { ownValue } from '../collections/own-value.js'

/** Most populous time zone of each country with several; the capital's where none is clearly the most populous. */
const MAIN_TIME_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Godthab',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Hebron',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kiev',
  UM: 'Pacific/Midway',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
}

/** Returns the IANA time zone of a country. @param country ISO 3166-1 alpha-2, upper case */
export const timeZoneOf = (country: string): string =>
  ownValue(MAIN_TIME_ZONES, country) ?? firstTimeZone(country) ?? 'UTC'

function firstTimeZone(country: string): string | undefined {
  const locale: Intl.Locale & { timeZones?: string[]; getTimeZones?(): string[] | undefined } = new Intl.Locale(
    `und-${country}`,
  )
  // A property in Node 20 and a method in later versions.
  return (locale.getTimeZones?.() ?? locale.timeZones)?.[0]
}
