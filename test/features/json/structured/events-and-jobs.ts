import { CONTEXT, ld, makePage, siteFurniture, type StructuredPage } from '../../../content/extract/structured-page.js'

export const eventSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    startDate: { type: 'string' },
    endDate: { type: 'string' },
    venue: { type: 'string' },
    city: { type: 'string' },
    address: {
      type: 'object',
      properties: { street: { type: 'string' }, postalCode: { type: 'string' }, country: { type: 'string' } },
    },
    price: { type: 'number' },
    currency: { type: 'string' },
    organizer: { type: 'string' },
    performers: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'startDate'],
}

const text = '<h1>Shanty night</h1><p>Songs of the sea, for all who like to sing along until late.</p>'
const saidEvent = {
  name: 'Shanty night',
  startDate: '2026-06-01T20:00:00+02:00',
  endDate: '2026-06-01T23:00:00+02:00',
  venue: 'The Quay',
  city: 'Kiel',
  address: { street: 'Quay 1', postalCode: '24103', country: 'DE' },
  price: 18.5,
  currency: 'EUR',
  organizer: 'Song Club',
  performers: ['The Gulls', 'Bo Day'],
}
const address = {
  '@type': 'PostalAddress',
  streetAddress: 'Quay 1',
  postalCode: '24103',
  addressLocality: 'Kiel',
  addressCountry: 'DE',
}
const event = {
  name: 'Shanty night',
  startDate: saidEvent.startDate,
  endDate: saidEvent.endDate,
  location: { '@type': 'Place', name: 'The Quay', address },
  offers: { '@type': 'Offer', price: '18.50', priceCurrency: 'EUR', url: 'https://harbour.test/tickets' },
  organizer: { '@type': 'Organization', name: 'Song Club', url: 'https://club.test' },
  performer: [
    { '@type': 'MusicGroup', name: 'The Gulls' },
    { '@type': 'Person', name: 'Bo Day' },
  ],
}

export const events: readonly StructuredPage[] = [
  makePage(
    'a ticket office',
    '/e1',
    ld(...siteFurniture, { ...CONTEXT, '@type': 'MusicEvent', ...event }),
    text,
    saidEvent,
  ),
  makePage(
    'an event of another type, in an array',
    '/e2',
    ld([{ ...CONTEXT, '@type': 'SocialEvent', ...event }]),
    text,
    saidEvent,
  ),
  makePage(
    'an event among those of the week',
    '/e3',
    ld(
      { ...CONTEXT, '@type': 'Event', url: 'https://harbour.test/e3', ...event },
      { ...CONTEXT, '@type': 'Event', ...event, name: 'Other night', url: 'https://harbour.test/other' },
    ),
    text,
    saidEvent,
  ),
  makePage(
    'a graph',
    '/e4',
    ld({
      ...CONTEXT,
      '@graph': [
        { '@type': 'Event', ...event, location: { '@id': '#quay' } },
        { '@type': 'Place', '@id': '#quay', name: 'The Quay', address },
      ],
    }),
    text,
    saidEvent,
  ),
  makePage(
    'microdata',
    '/e5',
    '',
    `<div itemscope itemtype="http://schema.org/Event"><h1 itemprop="name">Shanty night</h1><time itemprop="startDate" datetime="${saidEvent.startDate}">June 1</time><time itemprop="endDate" datetime="${saidEvent.endDate}"></time>
     <div itemprop="location" itemscope itemtype="http://schema.org/Place"><span itemprop="name">The Quay</span><div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="streetAddress">Quay 1</span> <span itemprop="postalCode">24103</span> <span itemprop="addressLocality">Kiel</span><meta itemprop="addressCountry" content="DE"></div></div>
     <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">18.50</span><meta itemprop="priceCurrency" content="EUR"></div><div itemprop="organizer" itemscope itemtype="http://schema.org/Organization"><span itemprop="name">Song Club</span></div>
     <div itemprop="performer" itemscope itemtype="http://schema.org/MusicGroup"><b itemprop="name">The Gulls</b></div><div itemprop="performer" itemscope itemtype="http://schema.org/Person"><b itemprop="name">Bo Day</b></div></div>`,
    saidEvent,
  ),
  makePage(
    'several prices, and a place in words',
    '/e6',
    ld({
      ...CONTEXT,
      '@type': 'TheaterEvent',
      ...event,
      location: { '@type': 'Place', name: 'The Quay', address: 'Quay 1, 24103 Kiel' },
      offers: { '@type': 'AggregateOffer', lowPrice: 18.5, highPrice: 40, priceCurrency: 'EUR' },
    }),
    '<h1>Shanty night</h1><p>From 18.50 euros.</p>',
    saidEvent,
  ),
  makePage('a festival', '/e7', ld({ ...CONTEXT, '@type': 'Festival', ...event, performer: undefined }), text, {
    ...saidEvent,
    performers: undefined,
  }),
]

export const jobSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    company: { type: 'string' },
    city: { type: 'string' },
    country: { type: 'string' },
    employmentType: { type: 'string', enum: ['full-time', 'part-time', 'contract'] },
    salaryMin: { type: 'number' },
    salaryMax: { type: 'number' },
    salaryCurrency: { type: 'string' },
    postedAt: { type: 'string', format: 'date' },
    validThrough: { type: 'string' },
    remote: { type: 'boolean' },
  },
  required: ['title', 'company'],
}

const jobText = '<h1>Lock keeper</h1><p>You open the lock, and close it again, at all hours and in all weathers.</p>'
const saidJob = {
  title: 'Lock keeper',
  company: 'Port of Kiel',
  city: 'Kiel',
  country: 'DE',
  employmentType: 'full-time',
  salaryMin: 42_000,
  salaryMax: 51_000,
  salaryCurrency: 'EUR',
  postedAt: '2026-05-02',
  validThrough: '2026-07-01',
  remote: undefined,
}
const salary = {
  '@type': 'MonetaryAmount',
  currency: 'EUR',
  value: { '@type': 'QuantitativeValue', minValue: 42_000, maxValue: 51_000, unitText: 'YEAR' },
}
const job = {
  title: 'Lock keeper',
  hiringOrganization: {
    '@type': 'Organization',
    name: 'Port of Kiel',
    sameAs: 'https://port.test',
    logo: 'https://port.test/l.png',
  },
  jobLocation: {
    '@type': 'Place',
    address: { '@type': 'PostalAddress', addressLocality: 'Kiel', addressCountry: 'DE' },
  },
  employmentType: 'FULL_TIME',
  baseSalary: salary,
  datePosted: '2026-05-02',
  validThrough: '2026-07-01',
  description: '<p>You open the lock.</p>',
  identifier: { '@type': 'PropertyValue', name: 'Port', value: '77' },
}

export const jobs: readonly StructuredPage[] = [
  makePage('a job board', '/j1', ld(...siteFurniture, { ...CONTEXT, '@type': 'JobPosting', ...job }), jobText, saidJob),
  makePage(
    'an applicant system, dates with times',
    '/j2',
    ld({ ...CONTEXT, '@type': 'JobPosting', ...job, datePosted: '2026-05-02T10:00:00.000Z' }),
    jobText,
    saidJob,
  ),
  makePage(
    'work from home',
    '/j3',
    ld({ ...CONTEXT, '@type': 'JobPosting', ...job, jobLocationType: 'TELECOMMUTE' }),
    jobText,
    { ...saidJob, remote: true },
  ),
  makePage(
    'a company in words',
    '/j4',
    ld({
      ...CONTEXT,
      '@type': 'JobPosting',
      ...job,
      hiringOrganization: 'Port of Kiel',
      jobLocation: [job.jobLocation],
      employmentType: ['FULL_TIME'],
    }),
    jobText,
    saidJob,
  ),
  makePage(
    'places in two towns, which leave the town open',
    '/j5',
    ld({
      ...CONTEXT,
      '@type': 'JobPosting',
      ...job,
      jobLocation: [
        job.jobLocation,
        { '@type': 'Place', address: { '@type': 'PostalAddress', addressLocality: 'Rendsburg', addressCountry: 'DE' } },
      ],
    }),
    jobText,
    { ...saidJob, city: 'Kiel or Rendsburg' },
  ),
  makePage(
    'microdata',
    '/j6',
    '',
    `<div itemscope itemtype="https://schema.org/JobPosting"><h1 itemprop="title">Lock keeper</h1><div itemprop="hiringOrganization" itemscope itemtype="https://schema.org/Organization"><span itemprop="name">Port of Kiel</span></div>
     <div itemprop="jobLocation" itemscope itemtype="https://schema.org/Place"><div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">Kiel</span>, <span itemprop="addressCountry">DE</span></div></div>
     <meta itemprop="employmentType" content="FULL_TIME"><time itemprop="datePosted" datetime="2026-05-02">May 2</time><meta itemprop="validThrough" content="2026-07-01">
     <div itemprop="baseSalary" itemscope itemtype="https://schema.org/MonetaryAmount"><meta itemprop="currency" content="EUR"><div itemprop="value" itemscope itemtype="https://schema.org/QuantitativeValue"><span itemprop="minValue">42000</span> to <span itemprop="maxValue">51000</span></div></div></div>`,
    saidJob,
  ),
  makePage(
    'no salary in the data, and one in the words',
    '/j7',
    ld({ ...CONTEXT, '@type': 'JobPosting', ...job, baseSalary: undefined }),
    '<h1>Lock keeper</h1><p>42,000 to 51,000 euros a year.</p>',
    saidJob,
  ),
]
