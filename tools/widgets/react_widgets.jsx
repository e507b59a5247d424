// The widgets for React in one file, as a global of the tests' pages.
import { DndContext } from "@dnd-kit/core";
import { SortableContext, arrayMove, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DatePicker as MuiDatePicker } from "@mui/x-date-pickers/DatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import Autocomplete from "@mui/material/Autocomplete";
import Slider from "@mui/material/Slider";
import TextField from "@mui/material/TextField";
import * as React from "react";
import ReactDatePicker from "react-datepicker";
import { createRoot } from "react-dom/client";
import Select from "react-select";

const show = (type, props, place = document.getElementById("root")) =>
  createRoot(place).render(React.createElement(type, props));

const Row = ({ id }) => {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: CSS.Transform.toString(transform), transition };
  return (
    <li ref={setNodeRef} style={style} {...attributes} {...listeners}>
      {id}
    </li>
  );
};

const SortableRows = ({ rows }) => {
  const [items, setItems] = React.useState(rows);
  const onDragEnd = ({ active, over }) => {
    if (over && active.id !== over.id)
      setItems((now) => arrayMove(now, now.indexOf(active.id), now.indexOf(over.id)));
  };
  return (
    <DndContext onDragEnd={onDragEnd}>
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        <ul id="list">
          {items.map((id) => (
            <Row key={id} id={id} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
};

const MuiDate = (props) => (
  <LocalizationProvider dateAdapter={AdapterDayjs}>
    <MuiDatePicker {...props} />
  </LocalizationProvider>
);

const ReactDate = (props) => {
  const [selected, setSelected] = React.useState(null);
  return <ReactDatePicker {...props} selected={selected} onChange={setSelected} />;
};

const MuiChoice = (props) => (
  <Autocomplete {...props} renderInput={(params) => <TextField {...params} label="Choice" />} />
);

window.widgets = { MuiChoice, MuiDate, ReactDate, Select, Slider, SortableRows, show };
