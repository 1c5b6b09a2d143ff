import { useEffect, useState } from 'react'
import { Article } from '../article.jsx'
import texts from '../../texts.json'

export const loader = () => ({ text: texts['router-data'] })
const Page = ({ loaderData }) => {
  const [isHere, setHere] = useState(false)
  useEffect(() => setHere(true), [])
  return isHere ? <Article text={loaderData.text} /> : <div id="place" />
}
export default Page
