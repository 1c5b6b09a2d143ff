'use client'
import { useEffect, useState } from 'react'
import { Article } from './article.jsx'

export const Fetched = ({ page }) => {
  const [text, setText] = useState()
  useEffect(() => {
    void fetch(`/api/${page}`)
      .then((answer) => answer.json())
      .then(setText)
  }, [page])
  return text ? <Article text={text} /> : <p>Loading…</p>
}
