import { Suspense } from 'react'
import texts from '../../texts.json'
import { ByQuery } from '../../parts/by-query.jsx'

const { title, sentences } = texts['app-query']
export const metadata = { title }

const Page = () => (
  <Suspense fallback={<p>Loading</p>}>
    <ByQuery post={{ title, paragraphs: sentences }} />
  </Suspense>
)
export default Page
