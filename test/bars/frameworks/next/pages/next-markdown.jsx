import { useEffect, useState } from 'react'
import texts from '../texts.json'

export const getStaticProps = () => {
  const { title, sentences } = texts['next-markdown']
  return { props: { doc: { title, markdown: `## Notes\n\n${sentences.join('\n\n')}\n\n- one\n- two\n` } } }
}
const Page = ({ doc }) => {
  const [isHere, setHere] = useState(false)
  useEffect(() => setHere(true), [])
  return isHere ? (
    <main>
      <h1>{doc.title}</h1>
      {doc.markdown.split('\n\n').map((block) => (
        <p key={block}>{block}</p>
      ))}
    </main>
  ) : null
}
export default Page
