import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createResolver } from '../../../src/base/network/egress.js'
import { classifyAddress } from '../../../src/base/network/ip-address.js'

describe('classifyAddress', () => {
  it.each([
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['loopback', ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']],
    ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255']],
    ['private', ['fc00::1', 'fdff:ffff::1', 'fec0::1', '64:ff9b:1::a00:1']],
    ['link-local', ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
    ['cloud metadata', ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254']],
    ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff:0fff::1']],
    ['benchmarking', ['198.18.0.0', '198.19.255.255', '2001:2::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
    ['broadcast', ['255.255.255.255']],
    ['tunnel', ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2002:7f00:1::', '2002:808:808::', '192.88.99.1']],
    ['reserved', ['192.0.0.1', '240.0.0.1', '254.255.255.255', '2001:10::1', '2001:1ff::1']],
    ['reserved', ['100::1', '4000::1', '1fff::1', '::127.0.0.1', '::8.8.8.8', '::ffff:0:7f00:1', '5f00::1']],
    [undefined, ['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255']],
    [undefined, ['100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0']],
    [undefined, ['198.17.255.255', '198.20.0.0', '223.255.255.255', '192.0.1.0', '168.63.129.17']],
    [
      undefined,
      ['2606:4700::1111', '2a00:1450:4001:81b::200e', '2001:200::1', '2001:db9::1', '2003::1', '3fff:1000::1'],
    ],
  ])('classifies addresses as %s', (kind, addresses) => {
    for (const address of addresses) expect([address, classifyAddress(address)]).toEqual([address, kind])
  })

  it('classifies an IPv4 address in IPv6 notation as the IPv4 address', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const dotted = octets.join('.')
        const kind = classifyAddress(dotted)
        const [a, b, c, d] = octets
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const spelling of [`::ffff:${dotted}`, `::ffff:${hex}`, `0:0:0:0:0:FFFF:${hex}`, `64:ff9b::${hex}`]) {
          expect(classifyAddress(spelling)).toBe(kind)
        }
      }),
    )
  })
})

describe('createResolver', () => {
  it('refuses a name when any of its addresses is not public, and the error has both', async () => {
    const lookup = async () => ['93.184.216.34', '10.0.0.7']
    await expect(createResolver({ allowPrivateNetworks: false, lookup })('mixed.test')).rejects.toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
      message:
        '`mixed.test` resolves to 10.0.0.7, not a public address (private); `allowPrivateNetworks: true` of the engine lets it be reached',
    })
  })

  it('returns all addresses of a public name, and of any name when private networks are allowed', async () => {
    const publicAddresses = async () => ['93.184.216.34', '2606:4700::1111']
    const privateAddresses = async () => ['10.0.0.7', '::1']
    const strict = createResolver({ allowPrivateNetworks: false, lookup: publicAddresses })
    expect(await strict('public.test')).toEqual(['93.184.216.34', '2606:4700::1111'])
    const open = createResolver({ allowPrivateNetworks: true, lookup: privateAddresses })
    expect(await open('private.test')).toEqual(['10.0.0.7', '::1'])
  })

  it('does not resolve an address', async () => {
    const lookup = () => Promise.reject(new Error('asked'))
    expect(await createResolver({ allowPrivateNetworks: false, lookup })('1.1.1.1')).toEqual(['1.1.1.1'])
    await expect(createResolver({ allowPrivateNetworks: false, lookup })('127.0.0.1')).rejects.toThrow(
      '`127.0.0.1` is not a public address (loopback)',
    )
  })

  it('accepts addresses that `allowAddress` allows', async () => {
    const resolve = createResolver({
      allowPrivateNetworks: false,
      allowAddress: (address, hostname) => address === '10.0.0.7' && hostname === 'wiki.test',
      lookup: async () => ['10.0.0.7'],
    })
    expect(await resolve('wiki.test')).toEqual(['10.0.0.7'])
    await expect(resolve('other.test')).rejects.toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })

  it('fails with SCRAPE_DNS_RESOLUTION_ERROR for a name without an address', async () => {
    const resolve = createResolver({ allowPrivateNetworks: true, lookup: async () => [] })
    await expect(resolve('none.test')).rejects.toMatchObject({ code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
  })
})
